import { adminRoutes } from '#core/contracts/http/admin-routes';
import { callsOf } from './http.ts';
import { withStepUp } from './step-up.ts';

/** As `call`, of endpoints for administrators: a file of its own, so that no sender loads their list. */
export const adminCall = withStepUp(callsOf(adminRoutes));
