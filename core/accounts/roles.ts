import type { adminRoutes } from '../contracts/http/admin-routes.ts';
import type { LiveEventName } from '../contracts/live-events.ts';
import { dayMs } from '../time/time.ts';
import { type AdminRole, adminRoles } from './admin-roles.ts';

const everyone = adminRoles;
/** Roles that see personal data unmasked. */
const unmasked = ['reviewer', 'treasurer', 'owner'] as const;
const reviewers = ['reviewer', 'owner'] as const;
const treasurers = ['treasurer', 'owner'] as const;
const owners = ['owner'] as const;
/** Roles that may stop and resume money movement: the ones that decide about it. */
const moneyStoppers = ['reviewer', 'treasurer', 'owner'] as const;

/** What else has a row besides endpoints and live events. */
type Other = 'queueBoard' | 'pauseQueue' | 'adminNews';
type AdminEvent = Extract<LiveEventName, `admin:${string}`>;
export type Permission = keyof typeof adminRoutes | AdminEvent | Other;

/**
 * The roles that may call each admin endpoint, receive each live event, and so on. Anything without a row is denied.
 */
export const permissions: Readonly<Record<Permission, readonly AdminRole[]>> = {
  adminTransfers: everyone,
  adminUsers: everyone,
  adminUser: everyone,
  blockUser: reviewers,
  noteUser: everyone,
  holdUser: owners,
  setRole: owners,
  decideRole: owners,
  resetSecondFactor: owners,
  revealNumber: unmasked,
  revealPhone: unmasked,
  identityChecks: unmasked,
  decideIdentity: reviewers,
  revealDocument: unmasked,
  adminStats: everyone,
  approve: reviewers,
  reject: reviewers,
  reviews: unmasked,
  review: unmasked,
  claimReview: reviewers,
  decideScreening: reviewers,
  reviewQuestions: unmasked,
  askSender: reviewers,
  refresh: unmasked,
  setRate: treasurers,
  confirmRateChange: treasurers,
  declineRateChange: treasurers,
  rateHistory: everyone,
  rateManagement: everyone,
  rateSources: everyone,
  deskCases: everyone,
  deskCase: everyone,
  assignCase: reviewers,
  noteCase: everyone,
  actOnCase: reviewers,
  deskProof: unmasked,
  reportSettlement: reviewers,
  dropSettlement: reviewers,
  refuteSettlement: reviewers,
  decideDeskRequest: reviewers,
  moneyStops: everyone,
  queuePauses: everyone,
  transferWork: everyone,
  setMoneyStop: moneyStoppers,
  requestLift: moneyStoppers,
  confirmLift: moneyStoppers,
  declineLift: moneyStoppers,
  adminComplaints: everyone,
  adminComplaint: everyone,
  adminFile: unmasked,
  adminLetterPdf: unmasked,
  caseAccounts: unmasked,
  complaintAccounts: unmasked,
  assignComplaint: reviewers,
  noteComplaint: everyone,
  holdComplaint: reviewers,
  concludeComplaint: reviewers,
  approveComplaint: reviewers,
  correctComplaint: reviewers,
  respondToDispute: reviewers,
  disputeEvidence: unmasked,
  reconciliation: treasurers,
  openExceptions: treasurers,
  runReconciliation: treasurers,
  bookExceptions: treasurers,
  explainException: treasurers,
  acceptException: treasurers,
  askAgain: treasurers,
  decideBookRequest: treasurers,
  closeDay: treasurers,
  importStatement: treasurers,
  dailyProfit: treasurers,
  transferProfit: treasurers,
  exportCsv: treasurers,
  listWebhooks: owners,
  createWebhook: owners,
  updateWebhook: owners,
  rotateWebhookSecret: owners,
  webhookDeliveries: owners,
  resendDelivery: owners,
  operatingFigures: unmasked,
  auditLog: owners,
  verifyAudit: owners,
  exportAudit: owners,
  'admin:transfer-changed': everyone,
  'admin:case-changed': everyone,
  'admin:complaint-changed': everyone,
  'admin:review-changed': unmasked,
  'admin:rate-change-updated': everyone,
  'admin:books-changed': unmasked,
  'admin:money-stops-changed': everyone,
  'admin:queue-pauses-changed': everyone,
  /** What waits for a decision, in the bell and by e-mail. */
  adminNews: unmasked,
  queueBoard: moneyStoppers,
  /** Also resumes it. */
  pauseQueue: moneyStoppers,
};

/** Whether a role has a permission. Without a role, everything is denied. */
export function isPermitted(role: AdminRole | null | undefined, permission: string): boolean {
  if (!role || !Object.hasOwn(permissions, permission)) return false;
  return permissions[permission as Permission].includes(role);
}

/** Whether a role permits nothing that another one does not: changing to it needs no second person. */
export function isNarrowerRole(from: AdminRole | null, to: AdminRole | null): boolean {
  if (to === null) return true;
  return from !== null && Object.values(permissions).every((roles) => !roles.includes(to) || roles.includes(from));
}

/** How long (ms) a new admin cannot be the second person of a decision: the other owners have time to object. */
export const secondPersonDelayMs = dayMs;

/** Whether personal data is masked in everything the role is shown. */
export const isMasked = (role: AdminRole) => !(unmasked as readonly AdminRole[]).includes(role);

/** Fields of admins' views with personal data, and how each is masked. Names stay: support talks to people. */
const maskedFields: Readonly<Record<string, (value: string) => string | null>> = {
  email: maskEmail,
  user_email: maskEmail,
  phone: maskEnd,
  ci: maskEnd,
  bank_account: maskEnd,
  address: () => '•••',
  birthDate: () => null,
};

/** The same value with its personal data masked, at every depth. */
export function maskPersonal<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(maskPersonal) as Value;
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, field]) => {
    const mask = Object.hasOwn(maskedFields, name) ? maskedFields[name] : undefined;
    return [name, mask && typeof field === 'string' ? mask(field) : maskPersonal(field)];
  });
  return Object.fromEntries(entries) as Value;
}

/** "•••78": two people can compare the ending. A value that is already an ending is not shortened further. */
function maskEnd(value: string): string {
  if (value.startsWith('•••')) return value;
  return value === '' ? '' : `•••${value.length > 5 ? value.slice(-2) : ''}`;
}

function maskEmail(value: string): string {
  const at = value.lastIndexOf('@');
  return at < 0 ? maskEnd(value) : `${value.slice(0, 1)}•••${value.slice(at)}`;
}
