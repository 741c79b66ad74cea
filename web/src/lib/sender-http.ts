import { senderRoutes } from '#core/contracts/http/sender-routes';
import { callsOf } from './http.ts';
import { withStepUp } from './step-up.ts';

/** As `call`, of endpoints for recipients, transfers and payments: a file of its own, so that pages before a sign-in do not load their list. */
export const senderCall = withStepUp(callsOf(senderRoutes));
