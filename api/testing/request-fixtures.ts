import { randomUUID } from 'node:crypto';
import { endpoints } from '#core/contracts/http/endpoints';
import { testPassword } from './test-api.ts';

/** Of no browser. */
const sampleSubscription = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/1',
  p256dh: 'BEkiQkZEuJwc6PkskNICAn6Sat8-oRB58CiwmS4HwN0wto_bzeurY_ChA-2HEsNF0gaen1Tr3g0cJHWuFpfD_AY',
  auth: 'AAAAAAAAAAAAAAAAAAAAAA',
};

export type EndpointName = keyof typeof endpoints;

/** Ids that requests refer to: the sender's own, and another sender's. */
export interface Ids {
  recipientId: string;
  transferId: string;
  intentId: string;
  alertId: string;
  otherRecipientId: string;
  otherTransferId: string;
  otherIntentId: string;
  otherAlertId: string;
  repeatId: string;
  otherRepeatId: string;
  /** A rate change that awaits the admin's confirmation. */
  rateChangeId: string;
  /** The only wallet USDC may be bought to. */
  walletAddress: string;
  cryptoOrderId: string;
  otherCryptoOrderId: string;
  /** An open case that only needs to be closed. */
  caseId: string;
  /** A colleague's request that waits for the admin. */
  deskRequestId: string;
}

export const sampleRecipient = {
  name: 'Rosa Mamani',
  email: '',
  phone: '+591 71234567',
  ci: '4567890',
  bankName: 'Banco Unión',
  bankAccount: '10000012345678',
  address: 'Av. Buenos Aires 1450',
  city: 'La Paz',
  relationship: 'Mamá',
};

export const sampleCryptoRequest = (walletAddress: string) => ({
  amount: '50.00',
  currency: 'usd',
  destinationCurrency: 'usdc',
  destinationNetwork: 'solana',
  walletAddress,
});

const sampleIdentity = {
  documentType: 'passport',
  country: 'BO',
  legalName: 'Carmen Rojas',
  birthDate: '1990-05-17',
};

/** The smallest file that counts as a PDF. */
const sampleFile = { name: 'recibo.pdf', type: 'application/pdf', data: Buffer.from('%PDF-1.7').toString('base64') };
const webhookChange = { description: 'Contabilidad', events: ['transfer.completed'] };
const webhookRequest = { ...webhookChange, url: 'https://partner.example/events' };

const repeatRequest = { amount: '100', currency: 'EUR', every: 'month', day: 5 };

const passkey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const passkeyAnswer = { ...passkey, response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' } };

export interface RequestFixture {
  params?: (ids: Ids) => Record<string, string>;
  body?: (ids: Ids) => Record<string, unknown>;
  /** Expected status of the correct request; the contract's success status when absent. */
  status?: number;
}

/** A correct request for every endpoint; tests change one part of it. A new endpoint does not compile without one. */
export const requestFixtures: Record<EndpointName, RequestFixture> = {
  register: {
    body: () => ({ name: 'Nueva', email: `${randomUUID()}@example.com`, password: testPassword, acceptedTerms: true }),
  },
  login: { body: () => ({ email: `${randomUUID()}@example.com`, password: testPassword }), status: 401 },
  secondStep: { body: () => ({ code: '000000' }), status: 401 },
  getSecondFactor: {},
  startSecondFactor: { body: () => ({ password: testPassword }) },
  confirmSecondFactor: { body: () => ({ code: 'A'.repeat(16) }), status: 422 },
  renewRecoveryCodes: { body: () => ({ password: testPassword }), status: 409 },
  proveSecondFactor: { body: () => ({ code: '000000' }), status: 409 },
  removeSecondFactor: { body: () => ({ password: testPassword }), status: 409 },
  passkeyOptions: { body: () => ({ secondStep: false }) },
  passkeySignIn: { body: () => ({ passkey: passkeyAnswer, remember: false }), status: 422 },
  startPasskey: { body: () => ({ password: testPassword }) },
  addPasskey: {
    body: () => ({
      name: 'Teléfono',
      passkey: { ...passkey, response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] } },
    }),
    status: 422,
  },
  removePasskey: { params: () => ({ id: randomUUID() }), body: () => ({ password: testPassword }), status: 404 },
  passkeyProof: {},
  getIdentity: {},
  submitIdentity: { body: () => ({ ...sampleIdentity, number: `${randomUUID().slice(0, 8)}-99` }) },
  submitDocument: { body: () => ({ front: sampleFile }) },
  identityChecks: {},
  decideIdentity: {
    params: () => ({ id: randomUUID() }),
    body: () => ({ reason: null, note: 'Coincide' }),
    status: 404,
  },
  revealDocument: { params: () => ({ id: randomUUID() }), body: () => ({ reason: 'identity' }), status: 404 },
  recoverPassword: { body: () => ({ email: `${randomUUID()}@example.com` }) },
  recoveryLink: { body: () => ({ token: 'A'.repeat(43) }), status: 410 },
  changeEmail: { body: () => ({ email: `${randomUUID()}@example.com`, password: testPassword }) },
  sendEmailCode: {},
  proveEmail: { body: () => ({ code: '123456' }), status: 200 },
  emailLink: { body: () => ({ token: 'A'.repeat(43) }), status: 410 },
  useEmailLink: { body: () => ({ token: 'A'.repeat(43) }), status: 410 },
  resetPassword: { body: () => ({ token: 'A'.repeat(43), password: testPassword }), status: 410 },
  createTrackingLink: { params: (ids) => ({ id: ids.transferId }), status: 404 },
  readTracking: { body: () => ({ token: 'a'.repeat(40) }), status: 404 },
  confirmReceived: { body: () => ({ token: 'a'.repeat(40) }), status: 404 },
  listWebhooks: {},
  createWebhook: { body: () => webhookRequest },
  updateWebhook: {
    params: () => ({ id: randomUUID() }),
    body: () => ({ ...webhookChange, enabled: true }),
    status: 404,
  },
  rotateWebhookSecret: { params: () => ({ id: randomUUID() }), status: 404 },
  webhookDeliveries: { params: () => ({ id: randomUUID() }) },
  resendDelivery: { params: () => ({ id: randomUUID() }), status: 404 },
  operatingFigures: {},
  auditLog: {},
  verifyAudit: {},
  exportAudit: {},
  listNews: {},
  readNews: { body: () => ({ until: '2026-11-20T15:00:00.000Z' }) },
  logout: {},
  me: {},
  getEmailPreferences: {},
  setEmailPreferences: { body: () => ({ muted: ['transfer_held'] }) },
  setLocale: { body: () => ({ locale: 'es' }) },
  getAccount: {},
  updateAccount: { body: () => ({ name: 'Carmen Rojas', city: 'Madrid' }) },
  changePassword: { body: () => ({ current: testPassword, password: testPassword }) },
  listSessions: {},
  endSession: { params: () => ({ id: randomUUID() }), status: 404 },
  endOtherSessions: {},
  getPush: {},
  setPush: { body: () => sampleSubscription },
  endPush: {},
  setCurrency: { body: () => ({ currency: 'EUR' }) },
  exportData: {},
  exportTransfers: {},
  // The sample's sender stays.
  closeAccount: { body: () => ({ password: 'otra' }), status: 422 },
  listRecipients: {},
  createRecipient: { body: () => sampleRecipient },
  updateRecipient: { params: (ids) => ({ id: ids.recipientId }), body: () => sampleRecipient },
  checkRecipientName: { params: (ids) => ({ id: ids.recipientId }) },
  confirmRecipientName: { params: (ids) => ({ id: ids.recipientId }), body: () => ({ version: 1 }) },
  deleteRecipient: { params: (ids) => ({ id: ids.recipientId }) },
  getRates: {},
  getRate: { params: () => ({ currency: 'eur' }) },
  rateSeries: { params: () => ({ currency: 'eur' }) },
  bankBoard: {},
  arrivalTimes: {},
  quote: { body: () => ({ amount: '100', currency: 'EUR' }) },
  exchangeRates: {},
  scraper: {},
  scraperFor: { params: () => ({ currency: 'eur', amount: '100' }) },
  updateRates: { body: () => ({ amount: '100' }) },
  listRateAlerts: {},
  createRateAlert: { body: () => ({ currency: 'EUR', rate: '999' }) },
  deleteRateAlert: { params: (ids) => ({ id: ids.alertId }) },
  listRepeats: {},
  createRepeat: { body: (ids) => ({ ...repeatRequest, recipientId: ids.recipientId }) },
  changeRepeat: {
    params: (ids) => ({ id: ids.repeatId }),
    body: (ids) => ({ ...repeatRequest, recipientId: ids.recipientId, day: 6 }),
  },
  pauseRepeat: { params: (ids) => ({ id: ids.repeatId }), body: () => ({ paused: true }) },
  // Neither the next one nor one that was reminded of.
  skipRepeat: { params: (ids) => ({ id: ids.repeatId }), body: () => ({ period: '2020-01-05' }), status: 404 },
  endRepeat: { params: (ids) => ({ id: ids.repeatId }) },
  getReminder: { params: () => ({ id: randomUUID() }), status: 404 },
  dashboard: {},
  listTransfers: {},
  getTransfer: { params: (ids) => ({ id: ids.transferId }) },
  transferQuestions: { params: (ids) => ({ id: ids.transferId }) },
  // The sample's transfer has no questions.
  answerQuestion: {
    params: (ids) => ({ id: ids.transferId, questionId: '0199b2d0-0000-7000-8000-00000000000c' }),
    body: () => ({ text: 'Para el alquiler' }),
    status: 404,
  },
  // The sample's transfer is not paid.
  receipt: { params: (ids) => ({ id: ids.transferId }), status: 404 },
  receiptPdf: { params: (ids) => ({ id: ids.transferId }), status: 404 },
  disclosurePdf: { params: (ids) => ({ id: ids.transferId }) },
  statementPeriods: {},
  statementPdf: { params: () => ({ period: '2026-11' }) },
  statementCsv: { params: () => ({ period: '2026' }) },
  checkPaper: { params: () => ({ code: 'ABCD-EFGH-JKMN-PQRS-TVWX' }), status: 404 },
  checkPaperFile: { params: () => ({ hash: 'a'.repeat(64) }), status: 404 },
  cancelTransfer: { params: (ids) => ({ id: ids.transferId }) },
  // The sample's transfer has its recipient.
  assignRecipient: {
    params: (ids) => ({ id: ids.transferId }),
    body: (ids) => ({ recipientId: ids.recipientId }),
    status: 409,
  },
  paymentConfig: {},
  helpContact: {},
  reportClientError: { body: () => ({ kind: 'TypeError', frames: ['app-x.js:1:2'], page: '/', build: 'x' }) },
  createPaymentIntent: { body: (ids) => ({ amount: '10', currency: 'eur', recipientId: ids.recipientId }) },
  createDemoPayment: { body: (ids) => ({ amount: '10', currency: 'eur', recipientId: ids.recipientId }) },
  // The sample's transfer was cancelled by the call before.
  resumePayment: { params: (ids) => ({ id: ids.transferId }), status: 409 },
  paymentStatus: { params: (ids) => ({ paymentIntentId: ids.intentId }) },
  confirmTransaction: { body: (ids) => ({ paymentIntentId: ids.intentId }), status: 409 },
  cryptoConfig: {},
  createOnrampSession: { body: (ids) => sampleCryptoRequest(ids.walletAddress) },
  listCryptoOrders: {},
  getCryptoOrder: { params: (ids) => ({ id: ids.cryptoOrderId }) },
  refreshCryptoOrder: { params: (ids) => ({ id: ids.cryptoOrderId }) },
  adminTransfers: {},
  adminUsers: {},
  adminUser: { params: () => ({ id: randomUUID() }), status: 404 },
  blockUser: {
    params: () => ({ id: randomUUID() }),
    body: () => ({ blocked: true, reason: 'Documentos falsos' }),
    status: 404,
  },
  holdUser: {
    params: () => ({ id: randomUUID() }),
    body: () => ({ held: true, reason: 'Oficio de la fiscalía' }),
    status: 404,
  },
  revealNumber: { params: ({ transferId }) => ({ id: transferId }), body: () => ({ field: 'ci', reason: 'payout' }) },
  revealPhone: { params: () => ({ id: randomUUID() }), body: () => ({ reason: 'question' }), status: 404 },
  resetSecondFactor: {
    params: () => ({ id: randomUUID() }),
    body: () => ({ reason: 'Perdió su teléfono' }),
    status: 404,
  },
  setRole: { params: () => ({ id: randomUUID() }), body: () => ({ adminRole: 'reviewer' }), status: 404 },
  decideRole: { params: () => ({ id: randomUUID() }), body: () => ({ role: 'reviewer', approve: true }), status: 404 },
  noteUser: { params: () => ({ id: randomUUID() }), body: () => ({ text: 'Llamó por teléfono.' }), status: 404 },
  adminStats: {},
  setRate: { body: () => ({ rate: '13.38', currency: 'USD', reason: 'Sin fuentes recientes' }) },
  confirmRateChange: { params: (ids) => ({ id: ids.rateChangeId }) },
  // The call before has confirmed it.
  declineRateChange: { params: (ids) => ({ id: ids.rateChangeId }), status: 409 },
  rateManagement: {},
  rateHistory: {},
  rateSources: {},
  approve: {
    params: (ids) => ({ id: ids.transferId }),
    body: () => ({ approval_request_id: null }),
    status: 409,
  },
  reject: { params: (ids) => ({ id: ids.transferId }), body: () => ({ reason: 'No' }), status: 409 },
  reviews: {},
  review: { params: (ids) => ({ id: ids.transferId }) },
  // The sample's transfer was cancelled before it was paid.
  claimReview: { params: (ids) => ({ id: ids.transferId }), body: () => ({ mine: true }), status: 409 },
  decideScreening: {
    params: (ids) => ({ id: ids.transferId }),
    body: () => ({ verdict: 'again' }),
    status: 409,
  },
  reviewQuestions: { params: (ids) => ({ id: ids.transferId }) },
  askSender: {
    params: (ids) => ({ id: ids.transferId }),
    body: () => ({ id: '0199b2d0-0000-7000-8000-00000000000c', code: 'purpose' }),
    status: 409,
  },
  refresh: {},
  reconciliation: {},
  openExceptions: {},
  runReconciliation: {},
  bookExceptions: {},
  explainException: { params: () => ({ id: randomUUID() }), body: () => ({ note: 'Ya llegó.' }), status: 404 },
  acceptException: { params: () => ({ id: randomUUID() }), body: () => ({ note: 'Pérdida.' }), status: 404 },
  askAgain: { params: () => ({ id: randomUUID() }), status: 404 },
  decideBookRequest: { params: () => ({ id: randomUUID() }), body: () => ({ approve: true }), status: 404 },
  // Nothing of that day was imported.
  closeDay: { params: () => ({ day: '2026-11-21' }), body: () => ({}), status: 409 },
  importStatement: { body: () => ({ data: 'eA==' }), status: 422 },
  dailyProfit: { params: () => ({ from: '2026-11-01', to: '2026-11-02' }) },
  transferProfit: { params: (ids) => ({ id: ids.transferId }) },
  exportCsv: { params: () => ({ list: 'transfers', from: '2026-11-01', to: '2026-11-02' }) },
  deskCases: {},
  deskCase: { params: (ids) => ({ id: ids.caseId }) },
  caseAccounts: { params: (ids) => ({ id: ids.caseId }) },
  assignCase: { params: (ids) => ({ id: ids.caseId }), body: () => ({ mine: true }) },
  noteCase: { params: (ids) => ({ id: ids.caseId }), body: () => ({ text: 'Llamé a Stripe.' }) },
  actOnCase: {
    params: (ids) => ({ id: ids.caseId }),
    body: () => ({ action: 'resolve', reason: 'Es un error suyo.' }),
  },
  // The sample's request has none.
  deskProof: { params: (ids) => ({ id: ids.deskRequestId }), status: 404 },
  // The sample's transfer is not paid, so there is nothing to report.
  ownComplaints: {},
  transferComplaints: { params: (ids) => ({ id: ids.transferId }), status: 404 },
  reportComplaint: {
    params: (ids) => ({ id: ids.transferId }),
    body: () => ({ reason: 'late', wants: 'refund', description: 'El dinero llegó tarde.' }),
    status: 404,
  },
  attachToComplaint: { params: () => ({ id: randomUUID() }), body: () => ({ ...sampleFile }), status: 404 },
  attachToAnswer: {
    params: (ids) => ({ id: ids.transferId, questionId: randomUUID() }),
    body: () => ({ ...sampleFile }),
    status: 404,
  },
  ownFile: { params: () => ({ id: randomUUID() }), status: 404 },
  adminFile: { params: () => ({ id: randomUUID() }), status: 404 },
  withdrawComplaint: { params: () => ({ id: randomUUID() }), status: 404 },
  letterPdf: { params: () => ({ id: randomUUID() }), status: 404 },
  adminLetterPdf: { params: () => ({ id: randomUUID() }), status: 404 },
  adminComplaints: {},
  adminComplaint: { params: () => ({ id: randomUUID() }), status: 404 },
  complaintAccounts: { params: () => ({ id: randomUUID() }), status: 404 },
  assignComplaint: { params: () => ({ id: randomUUID() }), body: () => ({ mine: true }), status: 404 },
  noteComplaint: { params: () => ({ id: randomUUID() }), body: () => ({ text: 'Llamé al banco.' }), status: 404 },
  holdComplaint: { params: () => ({ id: randomUUID() }), body: () => ({ reason: 'Falta el banco.' }), status: 404 },
  concludeComplaint: {
    params: () => ({ id: randomUUID() }),
    body: () => ({ finding: 'no_error', explanation: 'Llegó a tiempo.' }),
    status: 404,
  },
  approveComplaint: { params: () => ({ id: randomUUID() }), body: () => ({ approve: true }), status: 404 },
  correctComplaint: { params: () => ({ id: randomUUID() }), status: 404 },
  // The samples are not disputed.
  respondToDispute: { params: () => ({ id: 'du_1nothing' }), body: () => ({ text: 'Pagamos.' }), status: 404 },
  disputeEvidence: { params: () => ({ id: 'du_1nothing' }), status: 404 },
  queuePauses: {},
  transferWork: { params: ({ transferId }) => ({ id: transferId }) },
  moneyStops: {},
  setMoneyStop: { body: () => ({ scope: 'payouts', rail: 'bank', reason: 'El banco no responde.' }) },
  requestLift: { params: () => ({ id: randomUUID() }), body: () => ({ reason: 'El banco responde.' }), status: 404 },
  confirmLift: { params: () => ({ id: randomUUID() }), status: 404 },
  declineLift: { params: () => ({ id: randomUUID() }), status: 404 },
  // The sample's transfer was cancelled, which ended its request.
  reportSettlement: {
    params: (ids) => ({ id: ids.deskRequestId }),
    body: () => ({ bank_reference: 'BNB-1', amount: '10.00', proof: { ...sampleFile } }),
    status: 409,
  },
  dropSettlement: { params: (ids) => ({ id: ids.deskRequestId }), status: 409 },
  refuteSettlement: {
    params: (ids) => ({ id: ids.deskRequestId }),
    body: () => ({ reason: 'El banco dice que no salió.', proof: { ...sampleFile } }),
    status: 409,
  },
  decideDeskRequest: {
    params: (ids) => ({ id: ids.deskRequestId }),
    body: () => ({ approve: false }),
    status: 409,
  },
  // The sample's transfer was not even charged.
  correctAccount: {
    params: (ids) => ({ id: ids.transferId }),
    body: (ids) => ({ recipientId: ids.recipientId }),
    status: 409,
  },
  live: {},
  ready: {},
};
