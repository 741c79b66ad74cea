import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import type { EndpointName } from '../testing/request-fixtures.ts';
import { expectFailure, TestApp, table } from '../testing/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
});

afterAll(() => app?.close());

/** Invalid values for a field, and the field reported. `undefined` omits the field. */
const anything = [null, [], {}, true, -1, 'x\0y', 'x'.repeat(5000)] as const;
const wrongFile = {
  name: [undefined, 'x'.repeat(121), 'x\0y', 'x\ny', null, 5, [], {}],
  type: [undefined, '', 'text/html', 'image/svg+xml', ...anything],
  data: [undefined, 'á', 'JVBERi0', 'x', ...anything],
};
const wrongCodes = [undefined, '', '12345', '1234567', 'A'.repeat(15), '1'.repeat(16), ...anything];
/** An error inside a passkey is reported for the part. */
const wrongPasskeys = anything.filter((value) => JSON.stringify(value) !== '{}');
const wrongFields: Partial<Record<EndpointName, Record<string, readonly unknown[]>>> = {
  register: {
    name: [undefined, '', 'A', ' A ', ...anything],
    email: [undefined, '', 'x', 'a@b', 'a@b.c d', 'a@@example.com', `${'a'.repeat(250)}@example.com`, ...anything],
    password: [undefined, '', 'corta', 'x'.repeat(201), ...anything.filter((value) => typeof value !== 'string')],
    acceptedTerms: [undefined, false, 'true', 1, null, [], {}],
    phone: ['x'.repeat(31), null, 5, [], 'x\0y'],
    city: ['x'.repeat(81), null, 5, [], 'x\0y'],
    occupation: ['', 'astronauta', null, 5],
    locale: ['', 'fr', 'ES', null, 5, [], {}],
  },
  updateAccount: {
    name: [undefined, '', 'A', ' A ', ...anything],
    phone: ['x'.repeat(31), null, 5, [], 'x\0y'],
    city: ['x'.repeat(81), null, 5, [], 'x\0y'],
    occupation: ['', 'astronauta', null, 5],
  },
  changePassword: {
    current: [undefined, '', null, 5, [], {}, 'x'.repeat(201)],
    password: [undefined, '', 'corta', 'x'.repeat(201), ...anything.filter((value) => typeof value !== 'string')],
  },
  submitIdentity: {
    documentType: [undefined, '', 'carnet', ...anything],
    country: [undefined, '', 'B', 'BOL', '12', ...anything],
    number: [undefined, '', '1234', '1-2 3.4', '-----', 'x'.repeat(41), '12/456', ...anything],
    legalName: [undefined, '', 'A', ...anything],
    birthDate: [undefined, '', '1990-13-01', '17/05/1990', ...anything],
  },
  submitDocument: { front: [undefined, ...wrongPasskeys], back: wrongPasskeys },
  decideIdentity: {
    reason: [undefined, '', 'porque sí', ...anything.filter((value) => value !== null)],
    note: [undefined, '', ' ', 'x'.repeat(501), ...anything],
  },
  revealDocument: { reason: [undefined, '', 'curiosidad', ...anything] },
  secondStep: { code: wrongCodes, passkey: wrongPasskeys },
  passkeyOptions: { secondStep: [null, 'true', 1, [], {}] },
  passkeySignIn: { passkey: [undefined, ...wrongPasskeys], remember: [null, 'true', 1, [], {}] },
  startPasskey: { password: [undefined, '', null, 5, [], {}, 'x'.repeat(201)] },
  addPasskey: {
    name: [undefined, '', ' ', 'x'.repeat(61), null, 5, [], {}, 'x\0y'],
    passkey: [undefined, ...wrongPasskeys],
  },
  removePasskey: { password: [undefined, '', null, 5, [], {}, 'x'.repeat(201)] },
  startSecondFactor: { password: [undefined, '', null, 5, [], {}, 'x'.repeat(201)] },
  confirmSecondFactor: { code: wrongCodes },
  // The alternative to `passkey`: one of them is enough.
  proveSecondFactor: { code: wrongCodes, passkey: wrongPasskeys, password: [null, 5, [], {}] },
  renewRecoveryCodes: { password: [undefined, '', null, 5, [], {}, 'x'.repeat(201)] },
  removeSecondFactor: { password: [undefined, '', null, 5, [], {}, 'x'.repeat(201)] },
  changeEmail: {
    email: [undefined, '', 'x', 'a@b', ...anything],
    password: [undefined, '', null, 5, [], {}, 'x'.repeat(201)],
  },
  proveEmail: { code: [undefined, '', '12345', '1234567', '12345a', ...anything] },
  setCurrency: { currency: [undefined, '', 'BOB', ...anything.filter((value) => value !== null)] },
  closeAccount: { password: [undefined, '', null, 5, [], {}, 'x'.repeat(201)] },
  setLocale: { locale: [undefined, '', 'fr', 'es-BO', ...anything] },
  login: {
    email: [undefined, '', 'x', ...anything],
    password: [undefined, '', null, 5, [], {}, 'x'.repeat(201)],
    remember: ['yes', 1, null],
  },
  recoverPassword: { email: [undefined, '', 'x', 'a@b', ...anything] },
  readTracking: { token: [undefined, '', 'x', 'a'.repeat(39), 'a'.repeat(41), 'A'.repeat(40), ...anything] },
  confirmReceived: { token: [undefined, '', 'x', 'a'.repeat(39), 'a'.repeat(41), 'A'.repeat(40), ...anything] },
  createWebhook: {
    url: [
      undefined,
      '',
      ' ',
      'x',
      'ftp://partner.example',
      'https://u:p@partner.example/',
      'https://a/#x',
      ...anything,
    ],
    description: ['x'.repeat(81), null, 5, [], 'x\0y', 'x\ny'],
    events: [undefined, [], 'transfer.held', null, {}, Array(12).fill('transfer.held')],
  },
  updateWebhook: {
    description: ['x'.repeat(81), null, 5, [], 'x\0y', 'x\ny'],
    events: [undefined, [], 'transfer.held', null, {}],
    enabled: [undefined, 'true', 1, null, [], {}],
  },
  readNews: { until: [undefined, '', 'x', '2026-12-01', '2026-12-01T00:00:00', ...anything] },
  setEmailPreferences: {
    muted: [
      undefined,
      'transfer_held',
      Array(9).fill('rate_alert'),
      ...anything.filter((value) => !Array.isArray(value)),
    ],
  },
  recoveryLink: { token: [undefined, '', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, ...anything] },
  emailLink: { token: [undefined, '', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, ...anything] },
  useEmailLink: { token: [undefined, '', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, ...anything] },
  resetPassword: {
    token: [undefined, '', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, ...anything],
    password: [undefined, '', 'corta', 'x'.repeat(201), ...anything.filter((value) => typeof value !== 'string')],
    undoFactors: [null, 'true', 1, [], {}],
  },
  createRecipient: {
    name: [undefined, '', 'A', '  ', 'x\ny', ...anything],
    email: ['x', null, 5, [], 'a@b'],
    phone: [undefined, '', '1234567', 'abcdefgh', '0'.repeat(21), ...anything],
    ci: [undefined, '', '1234', '1'.repeat(21), "1234'; --", ...anything],
    bankName: [undefined, '', 'B', ...anything],
    bankAccount: [undefined, '', '1234', 'IBAN12345', '1'.repeat(31), ...anything],
    address: [undefined, '', 'Av.', ...anything],
    city: [undefined, '', 'L', ...anything],
    relationship: [null, 5, 'x'.repeat(41), 'x\0y'],
    saveAnyway: ['true', 1, null, [], {}],
  },
  setPush: {
    endpoint: [undefined, '', 'x', 'ftp://push.example/1', `https://push.example/${'x'.repeat(1000)}`, ...anything],
    p256dh: [undefined, '', 'x', 'A'.repeat(86), 'A'.repeat(88), `${'A'.repeat(86)}+`, ...anything],
    auth: [undefined, '', 'x', 'A'.repeat(21), 'A'.repeat(23), `${'A'.repeat(21)}=`, ...anything],
  },
  createRepeat: {
    recipientId: [undefined, '', 'x', ...anything],
    amount: [undefined, '', '0', '-5', '10.001', '1000000', ...anything],
    currency: [undefined, '', 'BOB', 1, ...anything],
    every: [undefined, '', 'day', 1, ...anything],
    day: [undefined, 0, 32, 1.5, '5', ...anything],
    hour: [-1, 24, 9.5, '9', null, []],
    zone: ['', 'Mars/Olympus', null, 5, [], 'x\0y'],
  },
  changeRepeat: { every: [undefined, 'day', null], day: [undefined, 0, 32], currency: [undefined, 'BOB', null] },
  pauseRepeat: { paused: [undefined, 'true', 1, null, [], {}] },
  skipRepeat: { period: [undefined, '', 'x', '2026-02-30', '2026-1-1', ...anything] },
  confirmRecipientName: { version: [undefined, '1', 0, -1, 1.5, null, [], {}] },
  quote: {
    amount: [
      undefined,
      '',
      '0',
      '0.00',
      0,
      '-5',
      '10.001',
      10.001,
      '1e3',
      '1,000',
      '٣',
      'Infinity',
      '999999999999',
      1e21,
      2 ** 53,
      ...anything,
    ],
    currency: [undefined, '', 'BOB', 'EURO', 1, ...anything],
  },
  createPaymentIntent: {
    reminderId: ['', 'x', null, 5, [], {}],
    amount: [undefined, '', '0', '-5', '10.001', '1e3', '1000000', 1e300, ...anything],
    currency: [undefined, '', 'bob', ...anything],
    recipientId: ['x', '1', null, 5, [], 'x\0y'],
    exchangeRate: ['x', '0', 0, '-1', '1e3', '10000', '1.1234567', null, [], 'x\0y'],
    birthDate: ['', 'x', '17-05-1990', '1990-13-01', '1990-02-30', '19900-01-01', null, 5, 'x\0y'],
  },
  createOnrampSession: {
    amount: [undefined, '', '0', '-5', '10.001', '1e3', '1000000', 1e300, ...anything],
    currency: [undefined, '', 'eur', 'bob', ...anything],
    destinationCurrency: [undefined, '', 'u', 'us dc', 'x'.repeat(21), ...anything],
    destinationNetwork: [undefined, '', 's', 'sola/na', 'x'.repeat(21), ...anything],
    walletAddress: [undefined, '', 'corta', '0'.repeat(44), 'l'.repeat(44), '1'.repeat(45), ...anything],
  },
  assignRecipient: { recipientId: [undefined, '', 'x', '1', ...anything] },
  confirmTransaction: {
    paymentIntentId: [undefined, '', 'x', 'pi_', 'pi_%00', 'pi_\0', `pi_${'x'.repeat(101)}`, 'pi_1/../2', ...anything],
  },
  setRate: {
    rate: [undefined, '', '0', 0, '-1', '13.385', 13.385, '1e1', '1001', 'Infinity', '٣', ...anything],
    currency: ['', 'BOB', ...anything],
    reason: [null, 5, [], {}, 'x'.repeat(301), 'x\0y', 'x\ny'],
    activateAt: ['', 'x', '2026-12-01', '2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z', ...anything],
  },
  createRateAlert: {
    currency: [undefined, '', 'BOB', ...anything],
    rate: [undefined, '', '0', 0, '-1', '13.385', '1e1', '1001', 'Infinity', ...anything],
  },
  updateRates: { amount: ['', '0', '-5', '10.001', '1e3', '1000000', 1e300, ...anything] },
  assignCase: { mine: [undefined, 'true', 1, null, [], {}] },
  blockUser: {
    blocked: [undefined, 'true', 1, null, [], {}],
    reason: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(501), 'x\0y'],
  },
  holdUser: {
    held: [undefined, 'true', 1, null, [], {}],
    reason: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(501), 'x\0y'],
  },
  revealNumber: {
    field: [undefined, '', 'address', null, 5, [], {}],
    reason: [undefined, '', 'curiosity', null, 5, [], {}],
  },
  revealPhone: { reason: [undefined, '', 'curiosity', null, 5, [], {}] },
  setRole: { adminRole: [undefined, '', 'admin', 5, true, [], {}] },
  decideRole: { role: [undefined, '', 'admin', null, 5, [], {}], approve: [undefined, null, 'true', 1, [], {}] },
  resetSecondFactor: { reason: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(501), 'x\0y'] },
  noteUser: { text: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(1001), 'x\0y'] },
  noteCase: { text: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(1001), 'x\0y'] },
  actOnCase: {
    action: [undefined, '', 'approve', ...anything],
    reason: [undefined, '', null, 5, [], {}, 'x'.repeat(501), 'x\0y'],
    recipient_id: ['', 'x', ...anything],
  },
  setMoneyStop: {
    scope: [undefined, '', 'refunds', ...anything],
    rail: ['', 'wallet', [], {}, true, -1],
    reason: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(501), 'x\0y'],
  },
  requestLift: { reason: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(501), 'x\0y'] },
  reportSettlement: {
    bank_reference: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(61), 'x\ny', 'x\0y'],
    amount: [undefined, '', '1', '1.5', '1,00', '1e2', 'x', ...anything],
    proof: [undefined, null, [], true, -1, 'x', '%PDF-'],
    reason: [null, 5, [], {}, 'x'.repeat(501), 'x\0y'],
  },
  refuteSettlement: {
    reason: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(501), 'x\0y'],
    proof: [undefined, null, [], true, -1, 'x', '%PDF-'],
  },
  approve: { approval_request_id: ['', 'x', '1', ...anything.filter((one) => one !== null)] },
  reportComplaint: {
    reason: [undefined, '', 'Late', ...anything],
    wants: [undefined, '', 'money', ...anything],
    description: [undefined, '', ' ', 'demasiado', null, 5, [], {}, 'x'.repeat(2001), 'x\0y'.repeat(4)],
  },
  attachToComplaint: wrongFile,
  attachToAnswer: wrongFile,
  assignComplaint: { mine: [undefined, 'true', 1, null, [], {}] },
  noteComplaint: { text: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(1001), 'x\0y'] },
  holdComplaint: { reason: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(2001), 'x\0y'] },
  concludeComplaint: {
    finding: [undefined, '', 'yes', ...anything],
    explanation: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(2001), 'x\0y'],
    remedy: ['', 'money', ...anything],
    amount: ['', '0', '-5', '10.001', '1e3', '999999999999', ...anything],
    payout: ['', '0', '-5', '10.001', '1e3', '999999999999', ...anything],
    recipient_id: ['x', '1', ...anything],
  },
  approveComplaint: {
    approve: [undefined, 'true', 1, null, [], {}],
    found_at: ['', 'x', '2026-11-21', ...anything],
    note: [null, 5, [], {}, 'x'.repeat(1001), 'x\0y'],
  },
  respondToDispute: { text: [undefined, null, 1, '', ' ', 'x'.repeat(10_001), '\u0000'] },
  decideDeskRequest: { approve: [undefined, 'true', 1, null, [], {}] },
  explainException: { note: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(501), 'x\0y'] },
  acceptException: { note: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(501), 'x\0y'] },
  decideBookRequest: { approve: [undefined, 'true', 1, null, [], {}] },
  closeDay: { note: [null, 5, [], {}, 'x'.repeat(501), 'x\0y'] },
  importStatement: { data: [undefined, null, 5, [], {}, 'x', 'á'] },
  correctAccount: { recipientId: [undefined, '', 'x', '1', ...anything] },
  reportClientError: {
    kind: [undefined, '', 'Type Error', 'x'.repeat(61), ...anything],
    frames: [undefined, null, 'x', {}, Array(13).fill('app.js:1:2')],
    page: [undefined, '', 'x', '/recibo/1?a=b', '/a b', '//x\0', ...anything],
    build: [undefined, 'x y', 'x'.repeat(41), null, 5, [], {}, 'x\0y'],
    requestId: ['', 'x', 'x'.repeat(65), 'has space in it', ...anything],
    traceId: ['', 'a', 'A'.repeat(32), 'a'.repeat(33), ...anything],
  },
  claimReview: { mine: [undefined, 'true', 1, null, [], {}] },
  decideScreening: {
    verdict: [undefined, '', 'approve', ...anything],
    subject: ['', 'both', ...anything],
    source: ['x'.repeat(61), null, 5, [], 'x\0y', 'x\ny'],
    source_id: ['x'.repeat(61), null, 5, [], 'x\0y', 'x\ny'],
    note: ['x'.repeat(501), null, 5, [], 'x\0y'],
  },
  askSender: {
    id: [undefined, '', 'x', '1', ...anything],
    code: ['', 'why', ...anything],
    note: [null, 5, [], {}, 'x'.repeat(501), 'x\0y'],
  },
  answerQuestion: { text: [undefined, '', ' ', null, 5, [], {}, 'x'.repeat(1001), 'x\0y'] },
  reject: {
    reason: [null, 5, [], {}, 'x'.repeat(301), 'x\0y'],
    code: ['', 'because', ...anything],
    note: [null, 5, [], {}, 'x'.repeat(301), 'x\0y'],
  },
};
const { exchangeRate: _unknownToIt, ...wrongOpenings } = wrongFields.createPaymentIntent as Record<
  string,
  readonly unknown[]
>;
wrongFields.createDemoPayment = wrongOpenings;
wrongFields.updateRecipient = wrongFields.createRecipient as Record<string, readonly unknown[]>;

const bodied = table.filter(([, endpoint]) => endpoint.body);

it('every field of every body is sent with wrong values', () => {
  const missed = bodied.flatMap(([name, endpoint]) => {
    const schema = endpoint.body as { shape?: object; def?: { innerType?: { shape?: object } } };
    const fields = Object.keys(schema.shape ?? schema.def?.innerType?.shape ?? {});
    return fields.filter((field) => !wrongFields[name]?.[field]).map((field) => `${name}.${field}`);
  });
  // Sent by older clients and not read.
  expect(
    missed.filter((field) => !/\.(userDetails|recipientDetails|userId|adminEmail)$|^confirmTransaction\./.test(field)),
  ).toEqual([]);
});

describe.each(bodied)('the body of %s', (name, endpoint) => {
  const cases = Object.entries(wrongFields[name] ?? {}).flatMap(([field, values]) =>
    values.map((value) => [field, JSON.stringify(value)?.slice(0, 40) ?? 'nothing', value] as const),
  );
  it.each(cases)('the field %s is refused when it is %s', async (field, _shown, value) => {
    const body = { ...app.bodyOf(name), [field]: value };
    const answer = await app.allowed(endpoint).send(endpoint.method, app.pathOf(name), body);
    expectFailure(answer, 400, 'invalid_input');
    expect(Object.keys(answer.body.fields)).toEqual([field]);
    expect(answer.body.fields[field]).not.toBe('');
    expect(answer.body.problems[field].code).not.toBe('invalid');
  });
});

it('the api never failed unexpectedly and logged nothing personal', () => app.expectQuietLog());
