import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { queueNames } from '#core/contracts/jobs';
import { transferStateNames } from '#core/transfers/states';

const files = [
  ...['infra/monitoring/alerts.yml', 'infra/monitoring/dashboard.json', 'infra/kubernetes/base/worker.yaml'],
  ...['docs/runbook.md', 'docs/operations.md'],
] as const;
const texts = new Map(files.map((file) => [file, readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')]));

/** Values of a label in queries of a metric, and in the dashboard's URLs. */
function namesIn(text: string, metric: RegExp, label: string): string[] {
  const selectors = [...text.matchAll(new RegExp(`${metric.source}\\{([^}]*)\\}`, 'g'))].map(
    ([, inside]) => inside ?? '',
  );
  return selectors.flatMap((inside) =>
    [...inside.matchAll(new RegExp(`\\b${label}=~?\\\\?"([^"\\\\]+)`, 'g'))].flatMap(
      ([, value]) => value?.split('|') ?? [],
    ),
  );
}

test.each(files)('%s names existing queues and states', (file) => {
  const text = texts.get(file) ?? '';
  const addressed = [...text.matchAll(/\/ops\/queues\/queue\/([\w-]+)/g)].map(([, name]) => name);
  const queues = [...namesIn(text, /chasqui_queue_\w+/, 'queue'), ...addressed];
  expect(queues.filter((name) => !queueNames.includes(name as never))).toEqual([]);
  const states = namesIn(text, /chasqui_oldest_transfer_seconds/, 'state');
  expect(states.filter((name) => !transferStateNames.includes(name as never))).toEqual([]);
});

test('workers scale by every queue that is not paused, and alerts cover the queues and the states', () => {
  expect(texts.get('infra/kubernetes/base/worker.yaml')).toContain(
    'sum(max by (queue) (chasqui_queue_jobs{state="waiting"}) unless max by (queue) (chasqui_queue_paused) == 1)',
  );
  const alerts = texts.get('infra/monitoring/alerts.yml') ?? '';
  expect(alerts).toContain('max by (queue) (chasqui_queue_jobs{state="waiting"})');
  expect(alerts).toContain('max by (queue) (chasqui_queue_paused)');
  expect(namesIn(alerts, /chasqui_oldest_transfer_seconds/, 'state').toSorted()).toEqual([
    ...['approved', 'awaiting_payment', 'captured', 'refunding'],
  ]);
});
