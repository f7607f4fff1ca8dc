/** Stops what the set-up started; jest calls it once, after the last file. */
// oxlint-disable-next-line import/no-default-export
export default async function teardown() {
  await globalThis.tollgateServers?.stop();
}
