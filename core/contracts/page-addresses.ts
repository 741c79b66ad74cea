/*
 * Pages that e-mails lead to. The parameters are the ones these pages read, so that a link opens what the e-mail is about.
 */

/** The part of the sender's panel's address that says which transfer is open. */
export const openTransferParam = 'envio';
/** The part of the sender's panel's address that says which reminder is answered. */
export const openReminderParam = 'recordatorio';
/** The part of the sender's list of recipients' address that says which recipient is open. */
export const openRecipientParam = 'destinatario';
/** The part of the admin panel's address that says which case is open. */
export const openCaseParam = 'case';

/** Where admins stop the movement of money. */
export const moneyStopsAddress = '/admin?tab=operations';

/** The part of the admin panel's address that says which transfer is open. */
export const adminTransferParam = 'transfer';

/** The part of the admin panel's address that says which person is open. */
export const adminUserParam = 'user';

/** Tools outside of the web app, for admins. */
export const queueBoardAddress = '/ops/queues';
/** A job on the queue dashboard. */
export const queueJobAddress = (queue: string, jobId: string) =>
  `${queueBoardAddress}/queue/${encodeURIComponent(queue)}/${encodeURIComponent(jobId)}`;
/** A queue on it. */
export const queueAddress = (queue: string) => `${queueBoardAddress}/queue/${encodeURIComponent(queue)}`;
export const apiDocsAddress = '/api/docs';

/**
 * Views of the admins' list of all transfers, by address: those awaiting a decision, those with an open case, and those
 * opened today in La Paz.
 */
export const adminTransferViews = ['to_decide', 'stuck', 'today'] as const;
export type AdminTransferViewName = (typeof adminTransferViews)[number];

/** The part of the admin panel's address that says which reported problem is open. */
export const openComplaintParam = 'complaint';

/** A person's own account. */
export const accountAddress = '/cuenta';
/** The part of its address that says which section is open. */
export const accountSections = {
  details: 'datos',
  email: 'correo',
  password: 'clave',
  security: 'seguridad',
  sessions: 'sesiones',
  preferences: 'idioma',
  emails: 'correos',
  notifications: 'avisos',
  limits: 'limites',
  problems: 'problemas',
  ownData: 'descarga',
  closing: 'cierre',
} as const;

/** Where a person chooses which e-mails they get. */
export const emailChoiceAddress = `${accountAddress}#${accountSections.emails}`;

/** The page with a person's limits and the verification that raises them. */
export const limitsAddress = `${accountAddress}#${accountSections.limits}`;

/** The sender's panel with a transfer open. */
export const transferAddress = (transferId: string) => `/dashboard?${openTransferParam}=${transferId}`;

/** The sender's panel with the review of the transfer that a reminder proposes. */
export const reminderAddress = (reminderId: string) => `/dashboard?${openReminderParam}=${reminderId}`;

/** The sender's recipients with one open, where its data are corrected and its name confirmed. */
export const recipientAddress = (recipientId: string) =>
  `/dashboard/destinatarios?${openRecipientParam}=${recipientId}`;

/** The operations desk with a case open. */
export const caseAddress = (caseId: string) => `/admin?tab=operations&${openCaseParam}=${caseId}`;

/** The admin panel with a transfer open. */
export const adminTransferAddress = (transferId: string) => `/admin?${adminTransferParam}=${transferId}`;

/** The admin panel with a person open. */
export const adminUserAddress = (userId: string) => `/admin?${adminUserParam}=${userId}`;

/** The list of all transfers of one person. */
export const adminTransfersOf = (userId: string) => `/admin?sender=${userId}`;

/** The desk of reported problems with one open. */
export const complaintAddress = (complaintId: string) => `/admin?tab=complaints&${openComplaintParam}=${complaintId}`;
