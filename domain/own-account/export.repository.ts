import type { Database, EntityManager } from '#platform/database/database';
import { readDocumentNumber } from '../identity/identity.repository.ts';
import { type PayoutTarget, readTarget } from '../personal-data/payout-target.ts';
import { readNumbers, readPhone } from '../personal-data/personal-data.ts';

/** Rows read at a time, which bounds memory use. */
const batchSize = 500;

/**
 * One list of the export: fields, tables and order. Secrets and notes that colleagues wrote for each other are left
 * out.
 */
interface Part {
  readonly columns: string;
  /** The table, aliased `t`, and its joins. */
  readonly from: string;
  /** The column with the user's id. */
  readonly owner: string;
  readonly at: string;
  readonly key: string;
}

/** SQL: an amount in minor units as decimal text, and a rate in millionths. */
const money = (column: string) => `(${column} / 100.0)::numeric(20, 2)::text`;
const rate = (column: string) => `(${column} / 1000000.0)::numeric(20, 6)::text`;

/** Rows by transfer, in the order of that index, so that each batch is an index scan. */
const byTransfer = (table: string) =>
  ({
    from: `${table} as t join transfer as o on o.id = t.transfer_id`,
    owner: 'o.user_id',
    at: 'o.created_at',
  }) as const;

/** Every list of the export by its name in the file. */
const parts: Readonly<Record<string, Part>> = {
  account: {
    columns: `t.id, t.email, t.email_verified_at, t.name, t.phone, t.phone_sealed, t.city, t.occupation, t.birth_date, t.role, t.locale, t.tier, t.preferred_currency,
      t.muted_emails, t.terms_accepted_at, t.last_active_at, t.news_read_until, t.created_at`,
    from: 'app_user as t',
    owner: 't.id',
    at: 't.created_at',
    key: 't.id',
  },
  sessions: {
    columns: 't.id, t.browser, t.system, t.created_at, t.last_seen_at, t.expires_at, t.ended_at',
    from: 'session as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  known_devices: {
    columns: 't.first_sign_in_at, t.last_sign_in_at',
    from: 'known_device as t',
    owner: 't.user_id',
    at: 't.last_sign_in_at',
    key: 't.secret_hash',
  },
  passkeys: {
    columns: 't.id, t.name, t.transports, t.created_at, t.last_used_at',
    from: 'webauthn_credential as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  password_resets: {
    columns: 't.created_at, t.expires_at, t.ended_at, t.ending',
    from: 'password_recovery as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  email_changes: {
    columns: 't.old_email, t.new_email, t.created_at, t.changed_at, t.ended_at',
    from: 'email_change as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  security_changes: {
    columns: 't.kind, t.email, t.at, t.undo_until, t.ended_at',
    from: 'account_change as t',
    owner: 't.user_id',
    at: 't.at',
    key: 't.id',
  },
  email_proofs: {
    columns: 't.email, t.created_at, t.expires_at',
    from: 'email_proof as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.token_hash',
  },
  recipients: {
    columns: `t.id, t.name, t.email, t.phone, t.ci, t.bank_name, t.bank_account, t.sealed, t.address, t.city, t.relationship, t.created_at,
      t.account_changed_at, t.removed_at`,
    from: 'recipient as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  name_checks: {
    columns:
      't.id, t.recipient_id, t.name, t.bank_name, t.bank_account, t.sealed, t.status, t.bank_says, t.asked_at, t.answered_at, t.confirmed_at',
    from: 'name_check as t',
    owner: 't.user_id',
    at: 't.asked_at',
    key: 't.id',
  },
  rate_alerts: {
    columns: `t.id, t.currency, ${rate('t.rate')} as rate, t.created_at, t.fired_at, ${rate('t.fired_rate')} as fired_rate`,
    from: 'rate_alert as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  repeating_transfers: {
    columns: `t.id, t.recipient_id, t.state, t.fixed, ${money('t.amount_minor')} as amount, t.currency, t.every, t.day, t.hour, t.zone, t.next_day,
      t.next_at, t.created_at, t.changed_at`,
    from: 'repeat_plan as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  reminders: {
    columns: 't.id, t.plan_id, t.period, t.created_at, t.lapses_at, t.skipped_at, t.problem, t.transfer_ids',
    from: 'repeat_reminder as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  transfers: {
    columns: `t.id, t.state, t.currency, ${money('t.amount_minor')} as amount, ${money('t.fee_minor')} as fee, ${rate('t.rate')} as rate,
      ${money('t.bolivianos_minor')} as bolivianos,
      ${rate('t.accepted_rate')} as accepted_rate, ${money('t.accepted_bolivianos_minor')} as accepted_bolivianos, t.recipient_id, t.payout_target as recipient, t.payment_intent_id, t.card_brand, t.card_last4,
      t.card_country, t.card_holder, t.paid_at, t.decided_at, t.reason, t.payout_reference, ${money('t.returned_minor')} as returned,
      t.cancel_requested_at, t.received_at, t.created_at, t.changed_at`,
    from: 'transfer as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  transfer_steps: {
    columns: 't.transfer_id, t.state, t.owner as moved_by, t.at',
    ...byTransfer('transfer_step'),
    key: `o.id::text || lpad(t.version::text, 8, '0')`,
  },
  disclosures: {
    columns: 't.transfer_id, t.version, t.texts, t.at',
    ...byTransfer('transfer_disclosure'),
    key: 'o.id',
  },
  tracking_links: {
    columns: 't.transfer_id, t.token, t.created_at',
    ...byTransfer('tracking_link'),
    key: 'o.id',
  },
  questions: {
    columns: 't.transfer_id, t.code, t.note, t.created_at, a.text as answer, a.created_at as answered_at',
    ...byTransfer('review_question'),
    from: `${byTransfer('review_question').from} left join review_answer as a on a.question_id = t.id`,
    key: 'o.id::text || t.created_at::text || t.id::text',
  },
  identity_checks: {
    columns:
      't.id, t.level, t.state, t.document_type, t.country, t.number, t.sealed, t.legal_name, t.birth_date, t.reason, t.created_at, t.decided_at',
    from: 'identity_check as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  // Each is downloaded by id, from the report or question it belongs to.
  files: {
    columns:
      't.id, t.transfer_id, t.complaint_id, t.question_id, t.identity_check_id, t.name, t.type, t.size, t.sha256, t.uploaded_at',
    from: 'attachment as t',
    owner: 't.uploaded_by_id',
    at: 't.uploaded_at',
    key: 't.id',
  },
  payment_origins: {
    columns: 't.transfer_id, t.network, t.device_since, t.at',
    ...byTransfer('payment_origin'),
    key: 'o.id',
  },
  declined_cards: {
    columns: 't.transfer_id, t.network, t.at',
    from: 'declined_attempt as t',
    owner: 't.user_id',
    at: 't.at',
    key: 't.charge_id',
  },
  disputes: {
    columns: `t.transfer_id, t.status, t.reason, ${money('t.amount_minor')} as amount, t.currency, t.opened_at, t.changed_at`,
    ...byTransfer('dispute'),
    key: 'o.id::text || t.opened_at::text || t.id',
  },
  complaints: {
    columns: `t.id, t.transfer_id, t.reason, t.wants, t.description, t.paid_from, t.regime, t.in_time, t.reported_at, t.state, t.finding,
      t.explanation, t.remedy, ${money('t.amount_minor')} as amount, ${money('t.payout_minor')} as paid_again, t.closed_at,
      (select coalesce(jsonb_agg(jsonb_build_object('kind', l.kind, 'texts', l.texts, 'at', l.at) order by l.at), '[]')
       from complaint_letter as l where l.complaint_id = t.id) as letters`,
    from: 'complaint as t',
    owner: 't.sender_id',
    at: 't.reported_at',
    key: 't.id',
  },
  emails: {
    columns: 't.kind, t.data, t.to_address, t.created_at, t.sent_at, t.refused_at',
    from: 'mail as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  audit_log: {
    columns: 't.kind, t.subject, t.network, t.at',
    from: 'audit_entry as t',
    owner: 't.actor_id',
    at: 't.at',
    key: 't.id',
  },
  devices_with_notifications: {
    columns: `t.session_id, split_part(t.endpoint, '/', 3) as service, t.created_at, t.last_sent_at, t.last_error`,
    from: 'push_subscription as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  notifications: {
    columns: 't.transfer_id, t.kind, t.created_at, t.sent_at',
    from: 'web_push as t join push_subscription as o on o.id = t.subscription_id',
    owner: 'o.user_id',
    at: 't.created_at',
    key: 't.id',
  },
  papers: {
    columns: 't.code, t.kind, t.transfer_id, t.facts, t.issued_at',
    from: 'paper as t',
    owner: 't.user_id',
    at: 't.issued_at',
    key: 't.code',
  },
  crypto_orders: {
    columns: `t.id, t.status, ${money('t.amount_minor')} as amount, t.wallet_address, t.session_id, ${money('t.paid_minor')} as paid,
      (t.coins / 1000000.0)::numeric(20, 6)::text as usdc, t.transaction_id, t.created_at, t.changed_at`,
    from: 'crypto_order as t',
    owner: 't.user_id',
    at: 't.created_at',
    key: 't.id',
  },
};

/** The tables that the export reads. */
export const exportedTables: readonly string[] = Object.values(parts).map(({ from }) => from.split(' ')[0] ?? '');

/** Tables with a user's data that the export leaves out, and why. */
export const tablesNotExported: Readonly<Record<string, string>> = {
  idempotency_key: 'Kept for two days so that a repeated request opens one transfer; that transfer is in the export.',
  operation: 'Calls to the card and the bank; what came of them is in the transfers and their steps.',
  ledger_posting: 'The books of a transfer; its amounts are in the transfers.',
  settlement_posting: 'Our own books with Stripe and the bank.',
  stripe_entry: 'Our own books with Stripe.',
  bank_entry: 'Our own books with the bank.',
  book_exception: 'Differences in our own books.',
  book_request: 'As above.',
  sender_total: 'A sum of the transfers, kept by a trigger.',
  sender_day_total: 'Sums of the transfers, kept by a trigger.',
  transfer_search: 'A search index over the transfers, for admins.',
  webhook_delivery: 'Ids, amounts and states of the transfers, for partners.',
  review: 'The check against sanctions lists: the law forbids saying what it found.',
  past_screening: 'As above.',
  name_clearance: 'As above.',
  desk_case: 'How colleagues settle what goes wrong with a transfer.',
  desk_request: 'As above.',
  hold_release: 'As above.',
  desk_proof: 'As above.',
  money_stop: 'How colleagues stop the movement of money; about no sender.',
  account_block: 'What colleagues decided about an account: the reason may be what the check found.',
  role_request: 'How owners decide who administers Chasqui; about no sender.',
  account_note: 'What colleagues write about an account, for the same reason.',
  legal_hold:
    'The person is not informed, since it may concern an investigation; nor are the times of it in their account.',
  second_factor: 'A secret by which the person signs in; their authenticator has it.',
  recovery_code: 'Hashes of codes that the person was shown once.',
  webauthn_challenge: 'A hash that is kept for minutes, while a passkey is created.',
  pending_sign_in: 'Kept for minutes, while a code is typed.',
};

type Row = { data: Record<string, unknown>; at: string; key: string };

/**
 * Everything stored about a user, as one JSON object of lists, in pieces. Rows are read in batches while they are sent,
 * one statement per batch, so that no transaction waits for a slow reader.
 */
export async function* exportPerson(database: Database, userId: string, at: Date): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"exported_at":${JSON.stringify(at.toISOString())}`);
  for (const [name, part] of Object.entries(parts)) {
    yield Buffer.from(`,\n${JSON.stringify(name)}:[`);
    let separator = '\n';
    for await (const batch of rowsOf(database, part, userId)) {
      const rows = await Promise.all(batch.map(({ data }) => withNumbers(database.fork(), name, data)));
      yield Buffer.from(separator + rows.map((row) => JSON.stringify(row)).join(',\n'));
      separator = ',\n';
    }
    yield Buffer.from(']');
  }
  yield Buffer.from('}\n');
}

/** A row with identity, account and phone numbers decrypted. */
async function withNumbers(em: EntityManager, name: string, data: Record<string, unknown>): Promise<object> {
  const id = String(data.id);
  if (name === 'transfers' && data.recipient)
    return { ...data, recipient: await readTarget(em, id, data.recipient as PayoutTarget) };
  if (name === 'account') {
    const { phone_sealed: phoneSealed, ...account } = data as { phone: string | null; phone_sealed: string | null };
    return { ...account, phone: await readPhone(em, { id, phone: account.phone, phoneSealed }) };
  }
  if (name === 'identity_checks') {
    const { sealed, ...check } = data as { sealed: string };
    return { ...check, number: await readDocumentNumber(em, { id, sealed }) };
  }
  if (name !== 'recipients' && name !== 'name_checks') return data;
  const { sealed, ...row } = data as { sealed: string | null; ci?: string; phone?: string; bank_account: string };
  const hidden = { ci: row.ci ?? '', phone: row.phone ?? '', bankAccount: row.bank_account, sealed };
  const owner = name === 'recipients' ? (`recipient:${id}` as const) : (`name_check:${id}` as const);
  const { ci, phone, bankAccount: bank_account } = await readNumbers(em, owner, hidden);
  return { ...row, bank_account, ...(row.ci !== undefined && { ci, phone }) };
}

async function* rowsOf(database: Database, { columns, from, owner, at, key }: Part, userId: string) {
  let last: Row | undefined;
  do {
    const after = last?.at ?? '-infinity';
    const rows: Row[] = await database.fork().execute<Row[]>(
      `select to_jsonb(part) - '_at' - '_key' as data, part._at::text as at, part._key as key
       from (select ${columns}, ${at} as _at, (${key})::text as _key from ${from} where ${owner} = ?) as part
       where part._at >= ?::timestamptz and (part._at, part._key) > (?::timestamptz, ?) order by part._at, part._key limit ?`,
      // The first bound lets the index scan start where the last batch ended.
      [userId, after, after, last?.key ?? '', batchSize],
    );
    if (rows.length > 0) yield rows;
    last = rows.length < batchSize ? undefined : rows.at(-1);
  } while (last);
}
