import type { Route } from './routes.ts';

/**
 * Method and path of every endpoint with which people change their account, its settings and their repeating transfers: as routes.ts,
 * in a file of its own that only those screens load.
 */
export const accountRoutes = {
  getEmailPreferences: { method: 'GET', path: '/api/auth/emails' },
  setEmailPreferences: { method: 'PUT', path: '/api/auth/emails' },
  getAccount: { method: 'GET', path: '/api/account' },
  updateAccount: { method: 'PUT', path: '/api/account' },
  changePassword: { method: 'PUT', path: '/api/account/password' },
  changeEmail: { method: 'POST', path: '/api/account/email' },
  listSessions: { method: 'GET', path: '/api/account/sessions' },
  endSession: { method: 'DELETE', path: '/api/account/sessions/{id}' },
  setCurrency: { method: 'PUT', path: '/api/account/currency' },
  exportData: { method: 'GET', path: '/api/account/data' },
  exportTransfers: { method: 'GET', path: '/api/account/transfers' },
  secondStep: { method: 'POST', path: '/api/auth/second-step' },
  getSecondFactor: { method: 'GET', path: '/api/account/second-factor' },
  startSecondFactor: { method: 'POST', path: '/api/account/second-factor/start' },
  confirmSecondFactor: { method: 'POST', path: '/api/account/second-factor/confirm' },
  renewRecoveryCodes: { method: 'POST', path: '/api/account/second-factor/codes' },
  proveSecondFactor: { method: 'POST', path: '/api/account/second-factor/prove' },
  removeSecondFactor: { method: 'POST', path: '/api/account/second-factor/remove' },
  closeAccount: { method: 'POST', path: '/api/account/close' },
  endOtherSessions: { method: 'POST', path: '/api/account/end-other-sessions' },
  getPush: { method: 'GET', path: '/api/account/push' },
  setPush: { method: 'PUT', path: '/api/account/push' },
  endPush: { method: 'DELETE', path: '/api/account/push' },
  listRepeats: { method: 'GET', path: '/api/repeats' },
  createRepeat: { method: 'POST', path: '/api/repeats' },
  changeRepeat: { method: 'PUT', path: '/api/repeats/{id}' },
  pauseRepeat: { method: 'POST', path: '/api/repeats/{id}/pause' },
  skipRepeat: { method: 'POST', path: '/api/repeats/{id}/skip' },
  endRepeat: { method: 'DELETE', path: '/api/repeats/{id}' },
  getReminder: { method: 'GET', path: '/api/reminders/{id}' },
} as const satisfies Record<string, Route>;
