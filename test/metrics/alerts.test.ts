/** The files in deploy/ for Prometheus and Grafana agree with the code and the documentation. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { PROJECT } from '../support/servers/programs.ts';
import { METRICS, SDK_METRICS } from './names.ts';

const DEPLOY = path.join(PROJECT, 'deploy');
const textOf = async (name: string): Promise<string> => readFile(path.join(PROJECT, name), 'utf8');

const alerts = await textOf('deploy/alerts.yml');
const unitTests = await textOf('deploy/alerts.test.yml');
const operating = await textOf('docs/operating.md');
const dashboard = JSON.parse(await textOf('deploy/grafana.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const alertNames = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name);

/** Returns the metrics that a text names, without the suffixes of a histogram's series. */
function metricsIn(text: string): string[] {
  const named = text.match(/\b(?:tollgate|temporal|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return [...new Set(named.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))];
}

const known = new Set([...METRICS, ...SDK_METRICS]);
const unknownIn = (text: string): string[] => metricsIn(text).filter((name) => !known.has(name));

describe('deploy/alerts.yml and deploy/grafana.json', () => {
  it('name only metrics that the programs have', () => {
    expect(metricsIn(alerts).length).toBeGreaterThan(15);
    expect(metricsIn(expressions.join('\n')).length).toBeGreaterThan(25);
    expect([...unknownIn(alerts), ...unknownIn(expressions.join('\n'))]).toEqual([]);
  });

  it('name only metrics in the unit tests that the programs have', () => {
    expect(unknownIn(unitTests)).toEqual([]);
  });

  it('show every metric of ours somewhere', () => {
    const shown = new Set([...metricsIn(alerts), ...metricsIn(expressions.join('\n'))]);
    const ours = METRICS.filter((name) => name.startsWith('tollgate_'));
    expect(ours.filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe('the documentation', () => {
  it('has a paragraph about each alert, in the same order', () => {
    const headings = [...operating.matchAll(/^### (Tollgate\w+)\n\n[A-Z]/gm)];
    expect(headings.map(([, name]) => name)).toEqual(alertNames);
    expect(alertNames.length).toBeGreaterThan(20);
  });

  it('has every metric of ours in its table, and no other', () => {
    const rows = [...operating.matchAll(/^\| `(tollgate_\w+)`/gm)].map(([, name]) => name ?? '');
    const ours = METRICS.filter((name) => name.startsWith('tollgate_'));
    expect(rows.toSorted()).toEqual(ours.toSorted());
  });
});

/** True if Prometheus' own tool is here. Its package is `prometheus`. */
const hasPromtool = ((): boolean => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('the unit tests of the alerts', () => {
  it('test that each alert fires, and that none fires if nothing is wrong', () => {
    const fires = [...unitTests.matchAll(/^ +alertname: (\w+)\n +exp_alerts:\n/gm)];
    const rests = [...unitTests.matchAll(/^ +- \{ eval_time: 1h, alertname: (\w+) \}$/gm)];
    expect(fires.map(([, name]) => name)).toEqual(alertNames);
    expect(rests.map(([, name]) => name)).toEqual(alertNames);
  });
});

const promtool = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('promtool', args, { cwd: DEPLOY })).stdout;

describe.skipIf(!hasPromtool)('promtool', () => {
  it('accepts the rules and the configuration, and the unit tests pass', async () => {
    expect(await promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
    expect(await promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  });

  it('accepts every expression of the dashboard', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-grafana-'));
    afterAll(async () => rm(folder, { recursive: true }));
    const rules = expressions.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    const file = path.join(folder, 'rules.yml');
    // JSON is YAML too.
    await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    expect(await promtool('check', 'rules', file)).toContain(`${rules.length} rules found`);
  });
});
