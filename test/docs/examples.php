<?php

// Runs the PHP examples of the guides for test/docs/examples.ts.
require_once 'tollgate.php';

$setup = json_decode(stream_get_contents(STDIN), true);

function is_new(string $id): bool
{
    return true;
}

function handle(array $event): void
{
    echo 'handled ', $event['type'], "\n";
}

/** Runs the examples of a guide as one program, with variables of its own. */
function run(string $program, array $setup): void
{
    $tollgate = new Tollgate\Tollgate($setup['key'], $setup['url']);
    $order = $setup['order'];
    $openPaymentIds = [$order['payment_id']];
    $lastEventId = $setup['lastEventId'];
    eval($program);
}

foreach ($setup['programs'] as $guide => $program) {
    echo "== $guide\n";
    run($program, $setup);
    if (!str_contains($program, 'function receive(')) continue;
    foreach ($setup['deliveries'] as $headers) echo receive($setup['body'], $headers), "\n";
}
