<?php
// Tollgate webhooks in plain PHP 8. To try it: php -S 0.0.0.0:9000 verify.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1024 * 1024;

/** All that are configured. Throws when one cannot be right: an empty key is known to everybody. */
function read_secrets(): array
{
    // Several with commas between them are all accepted: that is how you change one.
    $texts = array_map('trim', explode(',', (string) getenv('TOLLGATE_WEBHOOK_SECRET')));
    $secrets = array_values(array_diff($texts, ['']));
    if ($secrets === []) throw new RuntimeException('TOLLGATE_WEBHOOK_SECRET is missing');
    foreach ($secrets as $index => $secret) {
        if (preg_match('#\Awhsec_[A-Za-z0-9+/]{2,}={0,2}\z#', $secret) === 1) continue;
        $which = 'secret ' . ($index + 1) . ' of ' . count($secrets);
        throw new RuntimeException("TOLLGATE_WEBHOOK_SECRET: $which is not whsec_ and base64");
    }
    return $secrets;
}

/** Whether Tollgate signed these bytes, at most 5 minutes from now either way. */
function is_genuine(string $body, string $timestamp, string $signatures, array $secrets): bool
{
    if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1) return false;
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) return false;
    $genuine = false;
    foreach ($secrets as $secret) {
        $expected = 'v1=' . hash_hmac('sha256', "$timestamp.$body", $secret);
        foreach (explode(',', $signatures) as $given) {
            // hash_equals takes as long for a near miss as for a far one.
            $genuine = hash_equals($expected, trim($given)) || $genuine;
        }
    }
    return $genuine;
}

/** What your shop does with an event. When it throws, Tollgate sends the event again. */
function handle(array $event): void
{
    if ($event['type'] !== 'payment.completed') return;
    $payment = $event['data']['object'];
    // Somebody tries this receiver out, with a payment that does not exist. Only in test mode.
    if (!$event['livemode'] && isset($payment['metadata']['tollgate_example'])) return;
    // The event is a reason to ask. This answer is the proof.
    $payment = retrieve_payment($payment['id']);
    if ($payment['status'] !== 'completed') {
        throw new RuntimeException("{$payment['id']} is {$payment['status']}");
    }
    // Compare amount and currency with your order, then mark it paid, once. Slow work (letters,
    // parcels) belongs into a queue: Tollgate waits 15 seconds for the answer.
    error_log("paid: {$payment['order_id']}");
}

function retrieve_payment(string $id): array
{
    $header = 'Authorization: Bearer ' . trim((string) getenv('TOLLGATE_API_KEY'));
    // A redirect would take the key to another address.
    $http = ['header' => $header, 'timeout' => 10, 'follow_location' => 0];
    $context = stream_context_create(['http' => $http]);
    $url = trim((string) getenv('TOLLGATE_API_URL')) . '/v1/payments/' . rawurlencode($id);
    $json = @file_get_contents($url, false, $context);
    if ($json === false) throw new RuntimeException("$id could not be retrieved");
    return json_decode($json, true, flags: JSON_THROW_ON_ERROR);
}

/** Answers the HTTP status. */
function receive(): int
{
    // The signature covers the bytes as they came: php://input, and not $_POST.
    $body = (string) file_get_contents('php://input', length: MAX_BODY_BYTES + 1);
    if (strlen($body) > MAX_BODY_BYTES) return 413;
    $timestamp = $_SERVER['HTTP_SERVICE_TIMESTAMP'] ?? '';
    $signatures = $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '';
    try {
        // PHP begins anew with each request, so a wrong setting is found by the first one.
        if (!is_genuine($body, $timestamp, $signatures, read_secrets())) return 401;
        $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        // Use your database here, with a unique key on the event's id: these are empty files.
        $folder = getenv('TOLLGATE_HANDLED_DIR') ?: sys_get_temp_dir();
        $mark = $folder . '/' . preg_replace('/\W/', '', $event['id']);
        if (!file_exists($mark)) handle($event);
        // Only now: an event whose work failed has to come again.
        touch($mark);
        return 200;
    } catch (Throwable $error) {
        error_log($error->getMessage());
        return 500;
    }
}

http_response_code($_SERVER['REQUEST_METHOD'] === 'POST' ? receive() : 405);
