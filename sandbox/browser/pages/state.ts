/** The response of `/sandbox/state`, as far as the pages show it. */
import type { BankMode } from '../../bank/payouts.ts';
import type { EndpointView } from '../../control/views.ts';
import type { MailMode } from '../../mailbox/messages.ts';
import type { Fault } from '../../server/fault-schema.ts';
import type { DeliveryMode } from '../../stripe/delivery-modes.ts';

export interface SandboxState {
  /** `now` in seconds since the epoch, sandbox time. */
  clock: { now: number; offsetSeconds: number };
  /** Number of objects by kind, and of deliveries as `delivery_<state>`. */
  counts: Record<string, number>;
  deliveryModes: { global: DeliveryMode };
  endpoints: EndpointView[];
  faults: Fault[];
  bankMode: BankMode;
  mailMode: MailMode;
}
