<?php

/**
 * The client of Tollgate for PHP 8.1 and newer. Copy this file into your project.
 *
 *     $tollgate = new Tollgate\Tollgate(getenv('TOLLGATE_API_KEY'), 'https://api.pay.example');
 *     $payment = $tollgate->payments->create(
 *         ['amount' => 12500, 'currency' => 'AMD', 'return_url' => 'https://shop.example/return'],
 *         idempotencyKey: 'order-1001',
 *     );
 *
 * It needs PHP's curl extension only. Amounts are integers in the currency's minor unit: 1900 is
 * 19.00 EUR. Objects are arrays. They keep every field that the service sends, known here or not.
 */

declare(strict_types=1);

namespace Tollgate;

const VERSION = '0.1.0';

/** The longest wait of the client's own, after any number of retries. */
const DELAY_MAX_SECONDS = 8.0;
/** If the service asks for a longer wait, the caller gets the error at once. */
const RETRY_AFTER_MAX_SECONDS = 60;

/** The base of all errors of this file. None contains the API key or a secret. */
class TollgateError extends \RuntimeException {}

/** A mistake in the calling program. No request was sent. */
final class TollgateUsageError extends TollgateError {}

/** An error response. With a status below 500, the request had no effect. */
final class TollgateApiError extends TollgateError
{
    /** @var string Stable: branch on this. `unknown` if the response is a proxy's. */
    public $code;
    /** The first parameter that is wrong. `errors` has everything that is wrong. */
    public readonly ?string $param;
    /** @var list<array{param: ?string, code: string, message: string}> */
    public readonly array $errors;
    public readonly ?string $docUrl;
    /** The request's id in the service's log. Quote it when you ask for help. */
    public readonly ?string $requestId;
    public readonly ?int $retryAfterSeconds;
    public readonly bool $retryable;

    /** @param array<string, string> $headers */
    public function __construct(
        public readonly int $status,
        array $headers,
        array $error,
        public readonly ?string $idempotencyKey,
    ) {
        parent::__construct($error['message'] ?? "The response has status $status.");
        $this->code = $error['code'] ?? 'unknown';
        $this->param = $error['param'] ?? null;
        $this->errors = $error['errors'] ?? [];
        $this->docUrl = $error['doc_url'] ?? null;
        $this->requestId = $error['request_id'] ?? $headers['request-id'] ?? null;
        $seconds = $headers['retry-after'] ?? '';
        $isNumber = preg_match('/\A[0-9]{1,9}\z/', $seconds) === 1;
        $this->retryAfterSeconds = $isNumber ? (int) $seconds : null;
        $this->retryable = in_array($status, [408, 429], true) || $status >= 500;
    }
}

/** No usable response, so the effect is unknown. Call again with `idempotencyKey`. */
final class TollgateConnectionError extends TollgateError
{
    public function __construct(
        string $message,
        public readonly ?string $idempotencyKey,
        public readonly bool $retryable = true,
    ) {
        parent::__construct($message);
    }
}

/** A webhook request that must not be trusted. Respond with `status`. */
final class WebhookVerificationError extends TollgateError
{
    public int $status = 400;
}

/** @internal Sends the calls of one client, and retries them. */
final class Transport
{
    private readonly \CurlHandle $curl;

    public function __construct(
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly string $baseUrl,
        private readonly float $timeoutSeconds,
        private readonly int $maxRetries,
    ) {
        $this->curl = curl_init();
    }

    /** Hides the key from var_dump and print_r. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    public function get(string $path, string $expects, array $params = []): array
    {
        $query = self::queryOf($params);
        return $this->send($path . ($query === '' ? '' : "?$query"), $expects, null, null);
    }

    public function post(string $path, string $expects, array $body, ?string $key): array
    {
        $key ??= bin2hex(random_bytes(16));
        if (preg_match('/\A[!-~]{1,255}\z/', $key) !== 1) {
            $message = 'idempotencyKey must be 1 to 255 visible ASCII characters.';
            throw new TollgateUsageError($message);
        }
        try {
            // Keeps the fraction of 19.0, which the service then refuses. It would read 19 as 0.19.
            $flags = JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION;
            $json = json_encode((object) $body, $flags);
        } catch (\JsonException $cause) {
            $message = "A parameter cannot be sent as JSON: {$cause->getMessage()}";
            throw new TollgateUsageError($message, previous: $cause);
        }
        return $this->send($path, $expects, $json, $key);
    }

    private function send(string $path, string $expects, ?string $json, ?string $key): array
    {
        for ($retries = 0; ; $retries++) {
            try {
                return $this->attempt($path, $expects, $json, $key);
            } catch (TollgateApiError | TollgateConnectionError $error) {
                $seconds = $error->retryAfterSeconds ?? 0;
                $isLast = $retries >= $this->maxRetries || $seconds > RETRY_AFTER_MAX_SECONDS;
                if ($isLast || !$error->retryable) throw $error;
            }
            // Full jitter: clients that were cut off together do not retry together.
            $own = mt_rand() / mt_getrandmax() * min(DELAY_MAX_SECONDS, 0.5 * 2 ** $retries);
            time_nanosleep($seconds + (int) $own, (int) (fmod($own, 1) * 1_000_000_000));
        }
    }

    private function attempt(string $path, string $expects, ?string $json, ?string $key): array
    {
        $sent = ["Authorization: Bearer {$this->apiKey}", 'Accept: application/json'];
        $sent[] = 'User-Agent: tollgate-php/' . VERSION;
        if ($json !== null) {
            array_push($sent, 'Content-Type: application/json', "Idempotency-Key: $key", 'Expect:');
        }
        $received = [];
        // It does not follow redirects, which would take the key to another address.
        curl_reset($this->curl);
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $this->baseUrl . $path,
            CURLOPT_HTTPHEADER => $sent,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) ($this->timeoutSeconds * 1000),
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$received): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $received[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ] + ($json === null ? [] : [CURLOPT_POSTFIELDS => $json]));
        $text = curl_exec($this->curl);
        if ($text === false) {
            $message = 'The service could not be reached: ' . curl_error($this->curl);
            throw new TollgateConnectionError($message, $key);
        }
        $status = curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        $value = json_decode($text, true);
        if ($status >= 300) {
            $isOurs = is_array($value) && is_string($value['error']['code'] ?? null);
            throw new TollgateApiError($status, $received, $isOurs ? $value['error'] : [], $key);
        }
        if (is_array($value) && ($value['object'] ?? null) === $expects) return $value;
        $message = "The response has no $expects; check baseUrl.";
        throw new TollgateConnectionError($message, $key, retryable: false);
    }

    /** Returns the query string. Bounds become `name[gte]=1`, and lists are joined by commas. */
    private static function queryOf(array $params): string
    {
        $text = fn (mixed $value): mixed => match (true) {
            $value instanceof \DateTimeInterface => $value->format('Y-m-d\TH:i:s.vP'),
            is_array($value) && array_is_list($value) => implode(',', $value),
            default => $value,
        };
        foreach ($params as $name => $value) {
            $value = $text($value);
            $params[$name] = is_array($value) ? array_map($text, $value) : $value;
        }
        return http_build_query($params, encoding_type: PHP_QUERY_RFC3986);
    }

    /** Returns the id, encoded for a path. */
    public static function pathOf(string $id): string
    {
        if (trim($id) === '') {
            throw new TollgateUsageError('The id is empty. Did an earlier step not store it?');
        }
        // Dots would name another resource.
        if ($id === '.' || $id === '..') {
            throw new TollgateUsageError('The id is not a Tollgate id.');
        }
        return rawurlencode($id);
    }
}

/** Objects of one kind, such as those of `/v1/refunds`. */
class Collection
{
    public function __construct(
        protected readonly Transport $transport,
        protected readonly string $path,
        protected readonly string $object,
    ) {}

    /**
     * Returns the object as it is now; an event as it was sent.
     *
     * @return array<string, mixed>
     */
    public function retrieve(string $id): array
    {
        return $this->transport->get("$this->path/" . Transport::pathOf($id), $this->object);
    }

    /**
     * Returns one page as it is: its objects are `data`, newest first.
     *
     * @return array{data: list<array<string, mixed>>, has_more: bool}
     */
    public function page(array $params = []): array
    {
        return $this->transport->get($this->path, 'list', $params);
    }

    /**
     * Yields every object of all pages, newest to oldest; with `ending_before` the reverse. `limit`
     * is the length of a page. Filters are as in the service's reference; those with bounds are
     * arrays, such as `'created_at' => ['gte' => new DateTime('-1 day')]`.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function list(array $params = []): \Generator
    {
        $isForward = isset($params['ending_before']);
        $seen = [];
        do {
            $page = $this->page($params);
            $last = null;
            foreach ($isForward ? array_reverse($page['data']) : $page['data'] as $each) {
                if (isset($seen[$each['id']])) continue;
                $last = $each['id'];
                $seen[$last] = true;
                yield $each;
            }
            if ($page['has_more'] && $last === null) {
                $message = 'The list does not end: a page has nothing new.';
                throw new TollgateConnectionError($message, null, retryable: false);
            }
            $params[$isForward ? 'ending_before' : 'starting_after'] = $last;
        } while ($page['has_more']);
    }

    /** @return array<string, mixed> */
    protected function post(array $body, ?string $idempotencyKey, string $action = ''): array
    {
        return $this->transport->post($this->path . $action, $this->object, $body, $idempotencyKey);
    }
}

/** Payments by their status; ids that the service does not know; and what failed. */
final class Reconciled
{
    /**
     * @param list<array<string, mixed>> $settled
     * @param list<array<string, mixed>> $open
     * @param list<string> $missing
     * @param array<string, TollgateError> $failed By id.
     */
    public function __construct(
        public readonly array $settled,
        public readonly array $open,
        public readonly array $missing,
        public readonly array $failed,
    ) {}
}

final class Payments extends Collection
{
    /**
     * Creates a payment. Send the customer to its `checkout_url`. Give an `idempotencyKey` that
     * belongs to the order: the order then has one payment, however often you call this.
     *
     * @param array{amount: int, currency: string, return_url: string} $params
     * @return array<string, mixed>
     */
    public function create(array $params, ?string $idempotencyKey = null): array
    {
        return $this->post($params, $idempotencyKey);
    }

    /**
     * Changes the `metadata` and `description` of an open payment, and returns it. `null` removes a
     * key of the metadata, and keys that are left out stay.
     *
     * @return array<string, mixed>
     */
    public function update(string $id, array $params, ?string $idempotencyKey = null): array
    {
        return $this->post($params, $idempotencyKey, '/' . Transport::pathOf($id));
    }

    /** Cancels a payment that the customer has not begun to pay, and returns it. */
    public function cancel(string $id, array $params = [], ?string $idempotencyKey = null): array
    {
        return $this->post($params, $idempotencyKey, '/' . Transport::pathOf($id) . '/cancel');
    }

    /**
     * Retrieves the payments that are still open in your own records, and sorts them by status. Run
     * it on a timer: it finds payments whose webhook you missed. Each id is retrieved once, and one
     * that fails does not stop the others.
     *
     * @param iterable<string> $openIds
     */
    public function reconcile(iterable $openIds): Reconciled
    {
        $settled = $open = $missing = $failed = $seen = [];
        foreach ($openIds as $id) {
            if (isset($seen[$id])) continue;
            $seen[$id] = true;
            try {
                $payment = $this->retrieve($id);
                $isOpen = in_array($payment['status'], ['created', 'processing'], true);
                if ($isOpen) $open[] = $payment;
                else $settled[] = $payment;
            } catch (TollgateError $error) {
                $isMissing = $error->getCode() === 'resource_missing';
                if ($isMissing) $missing[] = $id;
                else $failed[$id] = $error;
            }
        }
        return new Reconciled($settled, $open, $missing, $failed);
    }
}

final class Refunds extends Collection
{
    /**
     * Creates a refund. Without an `amount`, it refunds the whole remaining amount. Give an
     * `idempotencyKey` that belongs to the reason for the refund, so that a second click does not
     * give the money back twice.
     *
     * @param array{payment_id: string, amount?: int, reason?: string} $params
     * @return array<string, mixed>
     */
    public function create(array $params, ?string $idempotencyKey = null): array
    {
        return $this->post($params, $idempotencyKey);
    }
}

final class Currencies
{
    public function __construct(private readonly Transport $transport) {}

    /**
     * Yields every currency, in one request.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function list(): \Generator
    {
        yield from $this->transport->get('/v1/currencies', 'list')['data'];
    }
}

/** Test mode: decides in place of the customer and the bank. Needs a test key. */
final class Sandbox
{
    public function __construct(private readonly Transport $transport) {}

    /** Pays the payment with this outcome, such as `approve` or `card_declined`. */
    public function outcome(string $paymentId, string $outcome): array
    {
        $path = '/v1/test/payments/' . Transport::pathOf($paymentId) . '/outcome';
        return $this->transport->post($path, 'payment', ['outcome' => $outcome], null);
    }

    /** Makes the next step due now: `expiry`, `bank_answer` or `next_webhook_attempt`. */
    public function advance(string $paymentId, string $to): array
    {
        $path = '/v1/test/payments/' . Transport::pathOf($paymentId) . '/advance';
        return $this->transport->post($path, 'payment', ['to' => $to], null);
    }
}

/**
 * A client for one secret API key. Retries connection errors, 408, 429 and 5xx, up to `maxRetries`
 * times. All tries of a POST have the same idempotency key. The timeout is for each try.
 */
final class Tollgate
{
    public readonly Payments $payments;
    public readonly Refunds $refunds;
    public readonly Collection $events;
    public readonly Collection $webhookEndpoints;
    public readonly Currencies $currencies;
    public readonly Sandbox $test;

    public function __construct(
        #[\SensitiveParameter] string|false|null $apiKey,
        string $baseUrl,
        float $timeoutSeconds = 30.0,
        int $maxRetries = 2,
    ) {
        if (preg_match('/\Ask_(test|live)_[!-~]+\z/', (string) $apiKey) !== 1) {
            // Never shows the key: messages end up in logs.
            throw new TollgateUsageError('apiKey must be a secret key, sk_test_... or sk_live_...');
        }
        $baseUrl = rtrim($baseUrl, '/');
        if (preg_match('~\Ahttps?://[^\s?#@]+(?<!/v1)\z~', $baseUrl) !== 1) {
            throw new TollgateUsageError('baseUrl must be the address of the API, without /v1.');
        }
        $transport = new Transport($apiKey, $baseUrl, $timeoutSeconds, $maxRetries);
        $this->payments = new Payments($transport, '/v1/payments', 'payment');
        $this->refunds = new Refunds($transport, '/v1/refunds', 'refund');
        $this->events = new Collection($transport, '/v1/events', 'event');
        $endpoint = ['/v1/webhook-endpoints', 'webhook_endpoint'];
        $this->webhookEndpoints = new Collection($transport, ...$endpoint);
        $this->currencies = new Currencies($transport);
        $this->test = new Sandbox($transport);
    }
}

final class Webhooks
{
    /**
     * Returns the secrets of a setting: one, or several separated by commas. Throws
     * TollgateUsageError for a malformed one, which would refuse every webhook.
     *
     * @return list<string>
     */
    public static function readSecrets(#[\SensitiveParameter] string|false|null $setting): array
    {
        $secrets = array_map('trim', explode(',', (string) $setting));
        if (count(preg_grep('#\Awhsec_[A-Za-z0-9+/]{2,}={0,2}\z#', $secrets)) === count($secrets)) {
            return $secrets;
        }
        throw new TollgateUsageError('The webhook secret is missing, or is not whsec_ and base64.');
    }

    /**
     * Returns the event of a genuine webhook request; else throws WebhookVerificationError. Pass
     * the raw body, and `getallheaders()`, `$_SERVER` or the headers of a PSR-7 request. The secret
     * is a setting as for `readSecrets`: while one is being replaced, it has both.
     *
     * @param array<string, mixed> $headers
     * @return array<string, mixed>
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|false|null $secrets,
        int $toleranceSeconds = 300,
    ): array {
        $secrets = self::readSecrets($secrets);
        $timestamp = self::header($headers, 'service-timestamp');
        $signatures = self::header($headers, 'service-signature');
        if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1 || $signatures === '') {
            throw new WebhookVerificationError('The signature headers are missing or malformed.');
        }
        if (abs(time() - (int) $timestamp) > $toleranceSeconds) {
            $message = "It was signed more than $toleranceSeconds s from now; check the clock.";
            throw new WebhookVerificationError($message);
        }
        foreach ($secrets as $secret) {
            $expected = 'v1=' . hash_hmac('sha256', "$timestamp.$body", $secret);
            foreach (explode(',', $signatures) as $given) {
                if (hash_equals($expected, trim($given))) return self::readEvent($body);
            }
        }
        throw new WebhookVerificationError('No signature fits. Check the secret and the raw body.');
    }

    /** Returns all values of a header, joined by commas. */
    private static function header(array $headers, string $name): string
    {
        $values = [];
        foreach ($headers as $key => $value) {
            $key = strtolower(strtr((string) $key, '_', '-'));
            if ($key === $name || $key === "http-$name") {
                array_push($values, ...(array) $value);
            }
        }
        return implode(',', $values);
    }

    private static function readEvent(string $body): array
    {
        $event = json_decode($body, true);
        if (is_string($event['id'] ?? null) && is_string($event['type'] ?? null)) {
            return $event;
        }
        throw new WebhookVerificationError('The body is signed, but it is not an event.');
    }
}
