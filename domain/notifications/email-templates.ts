import { caseAddress, transferAddress } from '#core/contracts/page-addresses';
import type { Locale } from '#core/locale/locale';
import { type EmailData, type EmailKind, emailKinds } from './email.repository.ts';
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

/** Who reads it, in which language, and the origin of its links. */
export interface EmailReader {
  /** Null: the reader has not proven that the address is theirs, so the name may be a stranger's text. */
  readonly name: string | null;
  readonly locale: Locale;
  readonly publicUrl: string;
  /** The secret of the kinds that carry one. */
  readonly token?: string;
}

/** The page that the button of each e-mail opens: a path of the web app. */
const pages: { readonly [Kind in EmailKind]: (data: EmailData<Kind>, to: EmailReader) => string } = {
  password_recovery: (_data, { token }) => {
    if (token === undefined) throw new RangeError('the e-mail of a password reset needs its token');
    // A fragment is never sent to a server, so no log contains it.
    return `/recuperar#${token}`;
  },
  // A public page: it has an address in each language.
  password_changed: (_data, { locale }) => `${locale === 'en' ? '/en' : ''}/login?recover=true`,
  rate_alert: () => '/dashboard',
  rates_paused: () => '/admin',
  rates_resumed: () => '/admin',
  rate_change_waiting: () => '/admin',
  payout_failed: ({ transferId }) => transferPage(transferId),
  account_reminder: ({ transferId }) => transferPage(transferId),
  account_not_corrected: ({ transferId }) => transferPage(transferId),
  case_opened: ({ caseId }) => casePage(caseId),
  case_old: ({ caseId }) => casePage(caseId),
  desk_request_waiting: ({ caseId }) => casePage(caseId),
};

/** E-mails that an earlier version wrote name neither transfer nor case. */
const transferPage = (id: string | null) => (id === null ? '/dashboard' : transferAddress(id));
const casePage = (id: string | null) => (id === null ? '/admin?tab=operations' : caseAddress(id));

/** Renders the e-mail of a stored kind in its reader's language. @throws ZodError or RangeError when kind or data are unknown. */
export function renderEmail(kind: string, data: unknown, to: EmailReader): EmailMessage {
  if (!Object.hasOwn(emailKinds, kind)) throw new RangeError(`no such kind of e-mail: ${kind}`);
  return renderKind(kind as EmailKind, data, to);
}

function renderKind<Kind extends EmailKind>(kind: Kind, data: unknown, to: EmailReader): EmailMessage {
  const parsed = emailKinds[kind].parse(data) as EmailData<Kind>;
  return compose(emailTexts[to.locale].kinds[kind](parsed), `${to.publicUrl}${pages[kind](parsed, to)}`, to);
}

function compose({ subject, paragraphs, action }: EmailText, url: string, { name, locale }: EmailReader): EmailMessage {
  const { greeting, foot } = emailTexts[locale];
  const lines = [greeting(name), ...paragraphs];
  const html = [
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;background:#f6f4ee;color:#0f172a;font:16px/1.5 system-ui,sans-serif">',
    '<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px">',
    ...lines.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`),
    `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="padding:12px 20px;border-radius:8px;background:#0b6b43;`,
    `color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(action)}</a></p>`,
    `<p style="margin:0;color:#475569;font-size:14px">${escapeHtml(foot)}</p></div></body></html>`,
  ].join('');
  return { subject, text: `${[...lines, `${action}: ${url}`, foot].join('\n\n')}\n`, html };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
