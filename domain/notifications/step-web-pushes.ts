import { newsOfSteps } from '#core/notifications/news';
import type { StepSubscriber } from '../transfers/steps.ts';
import { addWebPushes } from '../web-pushes/web-push.repository.ts';

/** Notifies the sender's browsers of a step that is news to them. */
export const writeStepWebPushes: StepSubscriber = async (em, { name, transfer, at }) => {
  const news = Object.hasOwn(newsOfSteps, name) ? newsOfSteps[name as keyof typeof newsOfSteps] : undefined;
  if (!news || (news.states && !news.states.includes(transfer.state))) return;
  const { id: transferId, userId, version } = transfer;
  await addWebPushes(em, { userId, transferId, version, kind: news.kind, at });
};
