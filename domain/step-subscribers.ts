import { settleDesk } from './desk/step-desk.ts';
import { writeStepEmail } from './notifications/step-emails.ts';
import { writeStepWebPushes } from './notifications/step-web-pushes.ts';
import { openScreening } from './review/open-screening.ts';
import { moveOperations } from './row-jobs/step-operations.ts';
import type { StepSubscriber } from './transfers/steps.ts';
import { writeStepEvents } from './webhooks/step-events.ts';

/** The subscribers of every step of a transfer, called in its transaction and in this order. */
export const stepSubscribers: readonly StepSubscriber[] = [
  moveOperations,
  // Its text depends on the cases that the step closes.
  writeStepEmail,
  settleDesk,
  openScreening,
  writeStepWebPushes,
  writeStepEvents,
];
