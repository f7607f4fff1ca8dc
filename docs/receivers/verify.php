<?php
// Tollgate webhooks in plain PHP 8. To try it: php -S 0.0.0.0:9000 verify.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1024 * 1024;

/** Returns the secrets of the setting: two, separated by a comma, while one is being replaced. */
function read_secrets(): array
{
    $secrets = array_map('trim', explode(',', (string) getenv('TOLLGATE_WEBHOOK_SECRET')));
    if (count(preg_grep('#\Awhsec_[A-Za-z0-9+/]{2,}={0,2}\z#', $secrets)) === count($secrets)) {
        return $secrets;
    }
    throw new RuntimeException('TOLLGATE_WEBHOOK_SECRET is missing, or is not whsec_ and base64');
}

/** Returns true if Tollgate signed these bytes at most 5 minutes from now. */
function is_genuine(string $body, string $timestamp, string $signatures): bool
{
    if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1) return false;
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) return false;
    foreach (read_secrets() as $secret) {
        $expected = 'v1=' . hash_hmac('sha256', "$timestamp.$body", $secret);
        foreach (explode(',', $signatures) as $given) {
            if (hash_equals($expected, trim($given))) return true;
        }
    }
    return false;
}

/** Acts on an event. If it throws, Tollgate sends the event again. */
function handle(array $event): void
{
    if ($event['type'] !== 'payment.completed') return;
    $payment = $event['data']['object'];
    // `tollgate endpoint example` sends an example, whose payment does not exist.
    if (!$event['livemode'] && isset($payment['metadata']['tollgate_example'])) return;
    // Only the payment itself is proof. Compare its amount and currency with your order.
    $payment = retrieve_payment($payment['id']);
    if ($payment['status'] !== 'completed') {
        throw new RuntimeException("{$payment['id']} is {$payment['status']}");
    }
    // Mark the order paid, once. Queue slow work: Tollgate waits 15 seconds for the response.
    error_log("paid: {$payment['order_id']}");
}

function retrieve_payment(string $id): array
{
    $header = 'Authorization: Bearer ' . trim((string) getenv('TOLLGATE_API_KEY'));
    // A redirect would send the key to another address.
    $http = ['header' => $header, 'timeout' => 10, 'follow_location' => 0];
    $url = trim((string) getenv('TOLLGATE_API_URL')) . '/v1/payments/' . rawurlencode($id);
    $json = @file_get_contents($url, false, stream_context_create(['http' => $http]));
    if ($json === false) throw new RuntimeException("$id could not be retrieved");
    return json_decode($json, true, flags: JSON_THROW_ON_ERROR);
}

/** Returns the status to respond with. */
function receive(): int
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') return 405;
    // Not $_POST: the signature covers the bytes as they arrive.
    $body = (string) file_get_contents('php://input', length: MAX_BODY_BYTES + 1);
    if (strlen($body) > MAX_BODY_BYTES) return 413;
    $timestamp = $_SERVER['HTTP_SERVICE_TIMESTAMP'] ?? '';
    try {
        if (!is_genuine($body, $timestamp, $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '')) return 400;
        $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        // Use your database instead, with a unique index on the event's id: these are empty files.
        $folder = getenv('TOLLGATE_HANDLED_DIR') ?: sys_get_temp_dir();
        $mark = $folder . '/' . preg_replace('/\W/', '', $event['id']);
        if (!file_exists($mark)) handle($event);
        // Only now: if the work failed, Tollgate must send the event again.
        touch($mark);
        return 200;
    } catch (Throwable $error) {
        error_log($error->getMessage());
        return 500;
    }
}

http_response_code(receive());
