<?php
// Tollgate webhooks in PHP, with the client beside this file.
// To try it: php -S 0.0.0.0:9000 verify.php
declare(strict_types=1);

use Tollgate\{Tollgate, Webhooks, WebhookVerificationError};

require __DIR__ . '/tollgate.php';

const MAX_BODY_BYTES = 1024 * 1024;

/** Acts on an event. If it throws, Tollgate sends the event again. */
function handle(array $event): void
{
    if ($event['type'] !== 'payment.completed') return;
    $tollgate = new Tollgate(
        trim((string) getenv('TOLLGATE_API_KEY')),
        trim((string) getenv('TOLLGATE_API_URL')),
        // The limits keep a retrieval within the 15 seconds that Tollgate waits for the response.
        timeoutSeconds: 5,
        maxRetries: 1,
    );
    // Only the payment itself is proof. Compare its amount and currency with your order.
    $payment = $tollgate->payments->retrieve($event['data']['object']['id']);
    if ($payment['status'] !== 'completed') {
        throw new RuntimeException("{$payment['id']} is {$payment['status']}");
    }
    // Mark the order paid, once. Queue slow work: Tollgate waits 15 seconds for the response.
    error_log("paid: {$payment['order_id']}");
}

/** Returns the status to respond with. */
function receive(): int
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') return 405;
    // Not $_POST: the signature covers the bytes as they arrive.
    $body = (string) file_get_contents('php://input', length: MAX_BODY_BYTES + 1);
    if (strlen($body) > MAX_BODY_BYTES) return 413;
    try {
        // While a secret is being replaced, the setting has two, separated by a comma.
        $event = Webhooks::verify($body, $_SERVER, getenv('TOLLGATE_WEBHOOK_SECRET'));
        // Use your database instead, with a unique index on the event's id: these are empty files.
        $folder = getenv('TOLLGATE_HANDLED_DIR') ?: sys_get_temp_dir();
        $mark = $folder . '/' . preg_replace('/\W/', '', $event['id']);
        if (!file_exists($mark)) handle($event);
        // Only now: if the work failed, Tollgate must send the event again.
        touch($mark);
        return 200;
    } catch (WebhookVerificationError $error) {
        return $error->status;
    } catch (Throwable $error) {
        error_log($error->getMessage());
        return 500;
    }
}

http_response_code(receive());
