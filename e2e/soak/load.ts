import { endpoints } from '#core/contracts/http/endpoints';
import { seededRandom } from '../../infra/testing/soak.ts';
import { sampleRecipient, signUp } from '../api-client.ts';
import type { TestApp } from '../test-app.ts';
import { persistently } from './calls.ts';
import { type Sender, Story } from './story.ts';
import { TransferWatch } from './watch.ts';

/** Payments per sender: the api's limit is 60 new ones per hour, including those reopened after a failure. */
const paymentsOfSender = 45;

/** How far the load is. */
export interface Progress {
  /** Payments whose story has come to its end. */
  done: number;
  /** Until all are. */
  paying: boolean;
  /** Names of the disturbances so far, the last one may be under way. */
  readonly disturbances: string[];
}

export interface Load {
  /** How many payments are made. */
  readonly count: number;
  /** How many at the same time; most of them wait for something. */
  readonly width: number;
  readonly seed: number;
}

/** Makes payments with random stories while `disturb` runs in parallel; `disturb` must end when they are done. */
export async function payRandomly(
  app: TestApp,
  { count, width, seed }: Load,
  disturb: (progress: Progress) => Promise<void>,
): Promise<void> {
  const watch = new TransferWatch(app.databaseUrl);
  const senders = new Map<number, Promise<Sender>>();
  const senderOf = (index: number): Promise<Sender> => {
    const number = index % Math.ceil(count / paymentsOfSender);
    const known = senders.get(number) ?? newSender(app);
    senders.set(number, known);
    return known;
  };
  const progress: Progress = { done: 0, paying: true, disturbances: [] };
  let next = 0;
  const lane = async () => {
    while (next < count && progress.paying) {
      const index = next++;
      const random = seededRandom(seed, `payment-${index}`);
      await new Story({ app, watch, sender: await senderOf(index), index, random }).tell();
      progress.done += 1;
    }
  };
  const paying = Promise.all(Array.from({ length: width }, lane)).finally(() => {
    progress.paying = false;
  });
  try {
    await Promise.all([paying, disturb(progress)]);
  } finally {
    progress.paying = false;
    await watch.close();
  }
}

async function newSender(app: TestApp): Promise<Sender> {
  const client = await persistently(() => signUp(app));
  const { id } = await persistently(() => client.call(endpoints.createRecipient, { body: sampleRecipient }));
  return { client, recipientId: id };
}
