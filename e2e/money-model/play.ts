import { type Evidence, gather, problemsAtRest, problemsNow } from './auditor.ts';
import type { Situation } from './choose.ts';
import { type Command, lineOf, reviewers, type Start } from './commands.ts';
import { perform } from './perform.ts';
import { TransferRun } from './transfer-run.ts';
import type { World } from './world.ts';

/** How a list of commands ended. */
export interface Ending {
  readonly commands: readonly Command[];
  /** What each command was answered: `ok`, a failure's code, or null where it had no effect or no answer. */
  readonly answers: readonly (string | null)[];
  /** Right after the commands, before time passed for everything to come to rest. */
  readonly evidence: Evidence;
  /** When it had come to rest, or as far as it got. */
  readonly atRest: Evidence;
  /** The first thing that went wrong, after which command. Empty when nothing did. */
  readonly problems: readonly string[];
}

/** A list of commands, or who chooses each by the situation, with null at the end. */
export type Source = readonly Command[] | ((situation: () => Promise<Situation>) => Promise<Command | null>);

/** Performs commands one after another about a new transfer, looks after each whether money is lost, and lets everything come to rest. */
export async function play(world: World, start: Start, source: Source): Promise<Ending> {
  const run = await TransferRun.begin(world, start);
  const commands: Command[] = [];
  const answers: (string | null)[] = [];
  let evidence = await gather(run);
  const situation = async (): Promise<Situation> => {
    const cases = evidence.rows.openCaseIds.length > 0 ? await run.cases(world.owner) : [];
    const isReserved = cases.some(({ request }) => request?.action.endsWith('by_hand'));
    const offers = cases.flatMap(({ actions }) => actions);
    return { evidence, offers, isReserved, hasOpenReport: run.hasOpenReport };
  };
  for (let index = 0; ; index += 1) {
    const command = typeof source === 'function' ? await source(situation) : source[index];
    if (!command) break;
    const didSomething = await perform(run, command);
    commands.push(command);
    answers.push(run.answered);
    if (!didSomething) continue;
    const seen = await look(run, `after ${index + 1}. ${lineOf(command)}`);
    evidence = seen.evidence;
    if (seen.problems.length > 0) return { commands, answers, evidence, atRest: evidence, problems: seen.problems };
  }
  evidence = await gather(run);
  return { commands, answers, evidence, ...(await comeToRest(run)) };
}

async function look(run: TransferRun, when: string): Promise<{ evidence: Evidence; problems: string[] }> {
  await run.world.settle();
  const evidence = await gather(run);
  return { evidence, problems: problemsNow(run, evidence).map((one) => `${when}: ${one}`) };
}

/**
 * Ends all faults and stops, lets Stripe deliver held events, advances time, and lets admins act on their open cases.
 */
async function comeToRest(run: TransferRun): Promise<{ atRest: Evidence; problems: string[] }> {
  const { world } = run;
  world.providers.heal();
  await world.deliverWebhooks('deliver');
  await world.restoreReviewers();
  await world.liftStops();
  await perform(run, { do: 'refundsSucceed' });
  // The stops that were lifted hold nothing from here on.
  await gather(run);
  for (const time of ['minute', 'completion', 'hours', 'day', 'week'] as const) {
    await perform(run, { do: 'pass', time });
    const { evidence, problems } = await look(run, `at rest, after a ${time}`);
    if (problems.length > 0) return { atRest: evidence, problems };
    if (hasEnded(run, evidence)) return { atRest: evidence, problems: [] };
  }
  return resolveCases(run);
}

function hasEnded(run: TransferRun, evidence: Evidence): boolean {
  const { operations, openCaseIds } = evidence.rows;
  const isOpen = operations.some(({ status }) => ['pending', 'in_flight', 'unknown'].includes(status));
  const waits = isOpen || openCaseIds.length > 0 || run.world.providers.nextDueAt !== null;
  return !waits && evidence.rows.state !== 'in_review' && problemsAtRest(run, evidence).length === 0;
}

/** Maximum decisions that an honest desk needs to bring a transfer to an end. */
const maxDecisions = 8;

/** Every problem must have an open case, and its actions must resolve the problem. */
async function resolveCases(run: TransferRun): Promise<{ atRest: Evidence; problems: string[] }> {
  const tried = new Set<string>();
  let left: string[] = [];
  for (let round = 0; round < maxDecisions; round += 1) {
    const { evidence, problems } = await look(run, 'while the desk resolves');
    if (problems.length > 0) return { atRest: evidence, problems };
    left = problemsAtRest(run, evidence);
    if (left.length === 0) return { atRest: evidence, problems: [] };
    if (!(await decideSomething(run, tried))) break;
    await perform(run, { do: 'pass', time: 'day' });
  }
  const atRest = await gather(run);
  const { openCaseReasons, waitingRequestIds } = atRest.rows;
  const open = [...openCaseReasons, ...waitingRequestIds.map(() => 'a request')].join(', ') || 'none';
  const actions = [...tried].join(', ') || 'nothing';
  return { atRest, problems: left.map((one) => `at rest: ${one} (open cases: ${open}; tried: ${actions})`) };
}

/** Decides about a waiting request, or acts on a case, in a way that was not tried before. Returns whether something was done. */
async function decideSomething(run: TransferRun, tried: Set<string>): Promise<boolean> {
  const { rows } = await gather(run);
  if (rows.waitingRequestIds.length > 0) return endRequest(run);
  if (run.hasOpenReport && (await endReport(run))) return true;
  const offers = (await run.cases(run.world.owner)).flatMap(({ actions }) => actions);
  const action = offers.find((one) => !tried.has(one));
  if (!action) return false;
  tried.add(action);
  await perform(run, { do: 'act', by: 'owner', action });
  return run.answered === 'ok';
}

/** A second person approves the result of a report, or returns it if it can no longer be carried out. */
async function endReport(run: TransferRun): Promise<boolean> {
  for (const yes of [true, false]) {
    for (const by of reviewers) {
      await perform(run, { do: 'agree', by, yes });
      if (run.answered === 'ok') return true;
    }
  }
  return false;
}

/** Ends a waiting request, in this order of preference: send and report what was reserved, drop, approve, decline. */
async function endRequest(run: TransferRun): Promise<boolean> {
  const isPaid = run.witness.byHand.some(({ declined }) => !declined);
  const ways = [
    ...reviewers.map((by): Command => ({ do: 'payByHand', by })),
    ...reviewers.map((by): Command => ({ do: 'reportPayment', by })),
    ...reviewers.map((by): Command => ({ do: 'dropReservation', by })),
    ...reviewers.map((by): Command => ({ do: 'decide', by, yes: true })),
    ...(isPaid ? [] : reviewers.map((by): Command => ({ do: 'decide', by, yes: false }))),
  ];
  for (const way of ways) {
    await perform(run, way);
    if (run.answered === 'ok') return true;
  }
  return false;
}
