import type { StepSubscriber } from '../transfers/steps.ts';
import { openMissingScreening } from './screening.repository.ts';

/** Opens the check of names when a step leaves a transfer in review whose present names have none. */
export const openScreening: StepSubscriber = async (em, { transfer, at }) => {
  if (transfer.state === 'in_review') await openMissingScreening(em, transfer.id, { at });
};
