import { Gauge } from 'prom-client';
import type { OperatingFigures } from '#core/contracts/http/monitoring';
import { queueNames } from '#core/contracts/jobs';

// Gauges of figures in the database: the same in every process that reads them, so rules take the maximum.

const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
  new Gauge<Label>({ name: `chasqui_${name}`, help, labelNames });

/** 1 while the figures below are read; otherwise they are absent. */
const readable = gauge('figures_readable', 'Whether the figures of the database could be read.');

const plain = {
  holds: gauge('holds_waiting', 'Held cards that wait for a decision.'),
  holdsEnding: gauge('holds_ending', 'Those of them whose hold ends within a day.'),
  holdDeadline: gauge('hold_deadline_seconds', 'Until the first of these holds ends; +Inf without any.'),
  compared: gauge('reconciliation_age_seconds', 'Since the books were last compared; +Inf when never.'),
  cases: gauge('desk_cases', 'Open cases of the operations desk.'),
  restOwed: gauge(
    'rest_owed_transfers',
    'Completed transfers of which the bank returned something that families are owed.',
  ),
  restOldest: gauge('rest_owed_oldest_seconds', 'How long the oldest of that has been owed; 0 when nothing is.'),
  overdue: gauge('complaints_overdue', 'Reports of problems whose deadline has passed.'),
};

const labelled = {
  dueRows: gauge('due_rows', 'Rows that wait to be carried out; 10000 are that many or more.', ['kind']),
  dueOldest: gauge('due_oldest_seconds', 'How long the oldest row has been due; 0 when none is.', ['kind']),
  providerPaused: gauge('provider_paused', 'Whether nothing is sent to a provider, which did not answer.', [
    'provider',
  ]),
  oldestTransfer: gauge(
    'oldest_transfer_seconds',
    'How long the transfer in a state that has not changed for longest has not; 0 when none is in it.',
    ['state'],
  ),
  queuePaused: gauge('queue_paused', 'Whether a person paused a queue.', ['queue']),
  rateAge: gauge('rate_age_seconds', 'Since market or admin last updated the rate.', ['currency']),
  ratePaused: gauge('rate_paused', 'Whether payments of a currency pause.', ['currency']),
  exceptions: gauge('reconciliation_exceptions', 'Open differences between our books and a source.', ['side']),
  owed: gauge(
    'ledger_owed_minor',
    'What the ledger says we owe for transfers under way, and of what the bank returned.',
    ['account', 'currency'],
  ),
  difference: gauge('ledger_difference_minor', 'By how much the ledger differs from what states say.', [
    'account',
    'currency',
  ]),
};

/** Sets the gauges. */
export function showFigures(read: OperatingFigures, now: Date): void {
  hideFigures();
  readable.set(1);
  const ago = (at: string | null, none = 0) => (at === null ? none : (now.getTime() - Date.parse(at)) / 1000);
  for (const { kind, rows, since } of read.due) {
    labelled.dueRows.set({ kind }, rows);
    labelled.dueOldest.set({ kind }, Math.max(0, ago(since)));
  }
  for (const provider of ['stripe', 'bank'])
    labelled.providerPaused.set({ provider }, Number(read.pausedProviders.includes(provider)));
  for (const { state, since } of read.oldestTransfers) labelled.oldestTransfer.set({ state }, Math.max(0, ago(since)));
  for (const queue of queueNames) labelled.queuePaused.set({ queue }, Number(read.pausedQueues.includes(queue)));
  plain.holds.set(read.holds.waiting);
  plain.holdsEnding.set(read.holds.withinDay);
  plain.holdDeadline.set(-ago(read.holds.next, Number.NEGATIVE_INFINITY));
  for (const { currency, updatedAt, paused } of read.rates) {
    labelled.rateAge.set({ currency }, ago(updatedAt));
    labelled.ratePaused.set({ currency }, Number(paused));
  }
  for (const side of ['stripe', 'bank'] as const) labelled.exceptions.set({ side }, read.reconciliation[side]);
  plain.compared.set(ago(read.reconciliation.comparedAt, Number.POSITIVE_INFINITY));
  for (const { account, currency, booksMinor, expectedMinor } of read.ledger) {
    labelled.owed.set({ account, currency }, Number(booksMinor));
    labelled.difference.set({ account, currency }, Number(BigInt(booksMinor) - BigInt(expectedMinor)));
  }
  plain.cases.set(read.cases.open);
  plain.restOwed.set(read.owedToFamilies.transfers);
  plain.restOldest.set(Math.max(0, ago(read.owedToFamilies.since)));
  plain.overdue.set(read.overdueComplaints);
}

/** Clears the gauges: figures that cannot be read are absent instead of stale. */
export function hideFigures(): void {
  readable.set(0);
  for (const one of Object.values(plain)) one.remove();
  for (const one of Object.values(labelled)) one.reset();
}
