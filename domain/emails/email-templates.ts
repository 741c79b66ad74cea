import { type Company, companyLines } from '#core/contracts/company';
import {
  accountAddress,
  accountSections,
  adminTransferAddress,
  adminUserAddress,
  caseAddress,
  complaintAddress,
  emailChoiceAddress,
  limitsAddress,
  moneyStopsAddress,
  reminderAddress,
  transferAddress,
} from '#core/contracts/page-addresses';
import type { Locale } from '#core/locale/locale';
import { isOptional } from '#core/notifications/email-preferences';
import { type EmailData, type EmailKind, emailKinds } from './email-kinds.ts';
import type { EmailText, EmailTexts } from './email-texts.ts';
import { englishTexts } from './email-texts-en.ts';
import { spanishTexts } from './email-texts-es.ts';

const emailTexts: Readonly<Record<Locale, EmailTexts>> = { es: spanishTexts, en: englishTexts };

/** An e-mail ready to be sent. */
export interface EmailMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The reader's name, language, and the origin of the links. */
export interface EmailReader {
  /** Null: the reader has not proven the address, so the name may be a stranger's text. */
  readonly name: string | null;
  readonly locale: Locale;
  readonly publicUrl: string;
  /** The operator of the installation. */
  readonly company: Company;
  /** The secret, for the kinds that have one. */
  readonly token?: string;
}

/** The page that the button of each e-mail opens: a path of the web app. */
const pages: { readonly [Kind in EmailKind]: (data: EmailData<Kind>, to: EmailReader) => string } = {
  password_recovery: (_data, { token }) => {
    if (token === undefined) throw new RangeError('the e-mail of a password reset needs its token');
    // A fragment is never sent to a server, so no log contains it.
    return `/recuperar#${token}`;
  },
  email_proof: (_data, { token }) => emailLinkPage(token),
  password_changed: (data, to) => undoPage(data, to) ?? recoverPage(to),
  identity_checked: () => limitsAddress,
  second_factor_changed: (data, to) => undoPage(data, to) ?? `${accountAddress}#${accountSections.security}`,
  new_device: (data, to) => undoPage(data, to) ?? `${accountAddress}#${accountSections.sessions}`,
  email_change: (_data, { token }) => emailLinkPage(token),
  email_changed: (data, to) => undoPage(data, to) ?? helpPage(to),
  email_restored: (_data, to) => recoverPage(to),
  email_withdrawn: (_data, to) => helpPage(to),
  account_closed: (_data, to) => helpPage(to),
  rate_alert: () => '/dashboard',
  repeat_reminder: ({ reminderId }) => reminderAddress(reminderId),
  rates_paused: () => '/admin',
  rates_resumed: () => '/admin',
  rate_change_waiting: () => '/admin',
  transfer_held: ({ transferId }) => transferAddress(transferId),
  transfer_without_recipient: ({ transferId }) => transferAddress(transferId),
  transfer_approved: ({ transferId }) => transferAddress(transferId),
  transfer_cancel_requested: ({ transferId }) => transferAddress(transferId),
  transfer_paid: ({ transferId }) => transferAddress(transferId),
  transfer_received: ({ transferId }) => transferAddress(transferId),
  transfer_rejected: ({ transferId }) => transferAddress(transferId),
  transfer_cancelled: ({ transferId }) => transferAddress(transferId),
  transfer_ended: ({ transferId }) => transferAddress(transferId),
  transfer_refunded: ({ transferId }) => transferAddress(transferId),
  refund_failed: ({ transferId }) => transferAddress(transferId),
  payout_delayed: ({ transferId }) => transferAddress(transferId),
  transfer_question: ({ transferId }) => transferAddress(transferId),
  question_answered: ({ transferId }) => adminTransferAddress(transferId),
  payout_failed: ({ transferId }) => transferPage(transferId),
  account_reminder: ({ transferId }) => transferPage(transferId),
  account_not_corrected: ({ transferId }) => transferPage(transferId),
  payout_returned_in_part: ({ transferId }) => transferAddress(transferId),
  rest_paid: ({ transferId }) => transferAddress(transferId),
  rest_refunded: ({ transferId }) => transferAddress(transferId),
  transfers_waiting: () => '/admin',
  approval_waiting: ({ transferId }) => adminTransferAddress(transferId),
  book_exceptions: () => '/admin?tab=reconciliation',
  hold_ending: () => '/admin',
  webhook_disabled: () => '/admin?tab=webhooks',
  case_opened: ({ caseId }) => casePage(caseId),
  case_old: ({ caseId }) => casePage(caseId),
  complaint_received: ({ transferId }) => transferAddress(transferId),
  complaint_delayed: ({ transferId }) => transferAddress(transferId),
  complaint_result: ({ transferId }) => transferAddress(transferId),
  complaint_corrected: ({ transferId }) => transferAddress(transferId),
  complaint_reopened: ({ transferId }) => transferAddress(transferId),
  complaint_withdrawn: ({ transferId }) => transferAddress(transferId),
  complaint_opened: ({ complaintId }) => complaintAddress(complaintId),
  complaint_due: ({ complaintId }) => complaintAddress(complaintId),
  complaint_waiting: ({ complaintId }) => complaintAddress(complaintId),
  desk_request_waiting: ({ caseId }) => casePage(caseId),
  role_waiting: ({ userId }) => adminUserAddress(userId),
  role_changed: ({ userId }) => adminUserAddress(userId),
  money_stopped: () => moneyStopsAddress,
  money_stop_lift_waiting: () => moneyStopsAddress,
  money_stop_lifted: () => moneyStopsAddress,
};

function emailLinkPage(token: string | undefined): string {
  if (token === undefined) throw new RangeError('an e-mail about an address needs its token');
  return `/correo#${token}`;
}

/** Where a change can be undone; null if it cannot. */
const undoPage = ({ undoUntil }: { undoUntil: string | null }, { token }: EmailReader) =>
  undoUntil === null ? null : emailLinkPage(token);

/** Public pages have an address in each language. */
const publicPage = (path: string, { locale }: EmailReader) => `${locale === 'en' ? '/en' : ''}${path}`;
const recoverPage = (to: EmailReader) => publicPage('/login?recover=true', to);
const helpPage = (to: EmailReader) => publicPage('/ayuda', to);

/** E-mails written by a previous version have neither transfer nor case. */
const transferPage = (id: string | null) => (id === null ? '/dashboard' : transferAddress(id));
const casePage = (id: string | null) => (id === null ? '/admin?tab=operations' : caseAddress(id));

/** Renders the e-mail of a stored kind in its reader's language. @throws ZodError or RangeError when kind or data are unknown. */
export async function renderEmail(kind: string, data: unknown, to: EmailReader): Promise<EmailMessage> {
  if (!Object.hasOwn(emailKinds, kind)) throw new RangeError(`no such kind of e-mail: ${kind}`);
  return renderKind(kind as EmailKind, data, to);
}

/**
 * The text of an e-mail kind in a language, without greeting and link.
 * @throws ZodError when the data do not match the kind.
 */
export function emailTextOf<Kind extends EmailKind>(kind: Kind, data: EmailData<Kind>, locale: Locale): EmailText {
  return emailTexts[locale].kinds[kind](emailKinds[kind].parse(data) as EmailData<Kind>);
}

function renderKind<Kind extends EmailKind>(kind: Kind, data: unknown, to: EmailReader): Promise<EmailMessage> {
  const parsed = emailKinds[kind].parse(data) as EmailData<Kind>;
  const text = emailTexts[to.locale].kinds[kind](parsed);
  return compose({ ...text, optional: isOptional(kind) }, `${to.publicUrl}${pages[kind](parsed, to)}`, to);
}

async function compose(
  { subject, paragraphs, details = [], action, optional }: EmailText & { readonly optional: boolean },
  url: string,
  { name, locale, publicUrl, company }: EmailReader,
): Promise<EmailMessage> {
  const { greeting: greet, foot, choose } = emailTexts[locale];
  const chooseUrl = `${publicUrl}${emailChoiceAddress}`;
  const greeting = greet(name);
  const list = details.map(([label, value]) => `${label}: ${value}`).join('\n');
  const parts = [
    greeting,
    ...paragraphs,
    ...(list ? [list] : []),
    `${action}: ${url}`,
    foot,
    companyLines(company, locale).join('\n'),
    ...(optional ? [`${choose}: ${chooseUrl}`] : []),
  ];
  // React is loaded with the first e-mail, so that processes that send none do not hold it in memory.
  const { renderHtml } = await import('./email-layout.tsx');
  const html = await renderHtml({
    locale,
    subject,
    greeting,
    paragraphs,
    details,
    action,
    url,
    foot,
    company: companyLines(company, locale),
    ...(optional && { choose: { label: choose, url: chooseUrl } }),
  });
  return { subject, text: `${parts.join('\n\n')}\n`, html };
}
