import type { StepSubscriber } from '../transfers/steps.ts';
import { openMissingScreening } from './screening.repository.ts';

/** Opens a screening when a step leaves a transfer in review without one for its current names. */
export const openScreening: StepSubscriber = async (em, { transfer, at }) => {
  if (transfer.state === 'in_review') await openMissingScreening(em, transfer.id, { at });
};
