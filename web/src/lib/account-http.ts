import { accountRoutes } from '#core/contracts/http/account-routes';
import { callsOf } from './http.ts';
import { withStepUp } from './step-up.ts';

/** As `call`, of endpoints that change an account: a file of its own, so that only those screens load their list. */
export const accountCall = withStepUp(callsOf(accountRoutes));
