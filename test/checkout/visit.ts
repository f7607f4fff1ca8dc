/** A visit to a page with an empty cache, and what it loads and moves. */
import type { Browser, Page } from 'playwright-core';

export interface Visit {
  /** The path of each response, and its bytes as they were sent. */
  readonly bytes: ReadonlyMap<string, number>;
  /** What made the browser request each file: `parser` for the page's own HTML. */
  readonly causes: ReadonlySet<string>;
  /** The files without which nothing is painted. */
  readonly blocking: readonly string[];
  /** The sum of all layout shifts. */
  readonly shift: number;
}

/** A slow line: 400 kbit/s, and 400 ms for each round trip. */
export const SLOW = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};

/** Adds up layout shifts in `window.shift`. */
export const watchShifts = () => {
  Object.assign(window, { shift: 0 });
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries() as unknown as { value: number }[]) {
      (window as unknown as { shift: number }).shift += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
};

/** Returns the sum of the shifts so far, once the page has been painted again. */
export const readShift = async (page: Page): Promise<number> =>
  page.evaluate(
    async () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() =>
          setTimeout(() => resolve((window as unknown as { shift: number }).shift)),
        );
      }),
  );

/** Opens the page in a browser with an empty cache. */
export async function visit(browser: Browser, address: string, line?: typeof SLOW): Promise<Visit> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(watchShifts);
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  if (line) await client.send('Network.emulateNetworkConditions', line);
  const paths = new Map<string, string>();
  const bytes = new Map<string, number>();
  const causes = new Set<string>();
  client.on('Network.requestWillBeSent', ({ requestId, request, initiator, type }) => {
    const { origin, pathname } = new URL(request.url);
    paths.set(requestId, origin === new URL(address).origin ? pathname : request.url);
    if (type !== 'Document') causes.add(initiator.type);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    bytes.set(paths.get(requestId) ?? '', encodedDataLength),
  );
  await page.goto(address);
  await page.evaluate(async () => document.fonts.ready);
  const shift = await readShift(page);
  const blocking = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(
        (entry) => 'renderBlockingStatus' in entry && entry.renderBlockingStatus === 'blocking',
      )
      .map(({ name }) => new URL(name).pathname),
  );
  await context.close();
  return { bytes, causes, blocking, shift };
}
