<?php

// Makes the calls of test/docs/driver.ts, one on each line of the input, with the PHP client.
declare(strict_types=1);

require 'tollgate.php';

function call(array $line): mixed
{
    ['name' => $name, 'args' => $args, 'settings' => $settings] = $line;
    if ($name === 'verify') return Tollgate\Webhooks::verify(...$args)['id'];
    $client = new Tollgate\Tollgate(
        $settings['apiKey'],
        $settings['baseUrl'],
        $settings['timeoutMs'] / 1000,
        $settings['maxRetries'],
    );
    $ids = fn (iterable $objects): array => array_column([...$objects], 'id');
    if ($name === 'payments.reconcile') {
        $found = $client->payments->reconcile(...$args);
        $failed = array_keys($found->failed);
        return [$ids($found->settled), $ids($found->open), $found->missing, $failed];
    }
    [$resource, $action] = explode('.', $name);
    $bound = [$client->$resource, $action];
    if ($action === 'list') return $ids($bound(...$args));
    return isset($line['key']) ? $bound(...$args, idempotencyKey: $line['key']) : $bound(...$args);
}

while ($text = fgets(STDIN)) {
    try {
        $answer = ['value' => call(json_decode($text, true))];
    } catch (Tollgate\TollgateError $error) {
        $name = substr(strrchr($error::class, '\\'), 1);
        $about = ['name' => $name, 'message' => $error->getMessage(), 'text' => (string) $error];
        $answer = ['error' => $about + get_object_vars($error)];
    }
    echo json_encode($answer), "\n";
}
