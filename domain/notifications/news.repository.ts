import type { FixedSide, ReminderProblem } from '#core/contracts/http/repeats';
import type { SendCurrency } from '#core/money/money';
import { type AdminNews, newsOfSteps, type SenderNews } from '#core/notifications/news';
import { dayMs } from '#core/time/time';
import { type EntityManager, runSql } from '#platform/database/database';
import type { Position } from '#platform/database/pages';

/** How long a step is news, in ms. An admin's pending items are news for as long as they are pending. */
const newsMs = 90 * dayMs;

/** The reader of the news, and up to when (exclusive) they have read it. */
export interface NewsReader {
  readonly userId: string;
  readonly isAdmin: boolean;
}

/** A news item as stored. */
export interface NewsRow {
  /** Transfer id and version for steps; the item's own id otherwise. */
  readonly id: string;
  readonly kind: SenderNews | AdminNews;
  readonly createdAt: Date;
  readonly unread: boolean;
  readonly current: boolean;
  readonly subject: 'approval' | 'case' | 'rate' | 'books' | null;
  /** All null if it concerns no transfer. Amounts in minor units. */
  readonly transferId: string | null;
  readonly person: string | null;
  readonly amountMinor: string | null;
  readonly currency: SendCurrency | null;
  readonly bolivianosMinor: string | null;
  readonly returnedMinor: string | null;
  readonly payoutReturnedMinor: string | null;
  /** All null unless it is a reminder. */
  readonly fixed: FixedSide | null;
  readonly repeatedMinor: string | null;
  readonly repeatedIn: SendCurrency | null;
  readonly problem: ReminderProblem | null;
}

const steps = Object.entries(newsOfSteps)
  .map(([move, { kind, states }]) => `('${move}', '${kind}', ${states ? `array['${states.join("','")}']` : 'null'})`)
  .join(', ');

/** Most recently changed transfers of a reader that a page considers: more than anyone has under way at once. */
const newestChanged = 500;

/**
 * SQL: steps of the reader's own transfers. Considers only transfers that changed last and after `since`, and were
 * opened by `until`, if that is not null. $1: the reader, $2: since when.
 */
const stepsSql = (since: string, until: string) => `
  select s.transfer_id || ':' || s.version as id, n.kind, s.at, t.id as transfer_id, coalesce(t.payout_target ->> 'name', '') as person,
    null as subject, t.state = s.state and not exists (
      select from transfer_step as later where later.transfer_id = s.transfer_id and later.version > s.version and later.state <> s.state
    ) as current
  from (
      select * from transfer where user_id = $1 and changed_at > ${since} and (${until}::timestamptz is null or created_at <= ${until})
      order by changed_at desc limit ${newestChanged}
    ) as t join transfer_step as s on s.transfer_id = t.id
    join (values ${steps}) as n (move, kind, states) on n.move = s.move and (n.states is null or s.state = any (n.states))
  where s.at > ${since}`;

/** SQL: an admin's pending items, except about transfers they sent and requests they made. */
const waitingSql = `
  select t.id::text, 'to_decide', t.paid_at, t.id, u.name, null, true
  from transfer as t join app_user as u on u.id = t.user_id 
  where t.state = 'in_review' and t.user_id <> $1
    -- With the first of two approvals, the second person's item is below.
    and not exists (select from desk_request as r where r.transfer_id = t.id and r.outcome is null)
  union all
  select q.id::text, 'answered', a.created_at, t.id, u.name, null, true
  from transfer as t join review_question as q on q.transfer_id = t.id join review_answer as a on a.question_id = q.id
    join app_user as u on u.id = t.user_id
  where t.state = 'in_review' and t.user_id <> $1
  union all
  select c.id::text, 'case', c.opened_at, t.id, u.name, null, true
  from desk_case as c join transfer as t on t.id = c.transfer_id join app_user as u on u.id = t.user_id where c.resolved_at is null
  union all
  select r.id::text, 'second_person', r.requested_at, t.id, u.name, case when r.action = 'approve' then 'approval' else 'case' end, true
  from desk_request as r join transfer as t on t.id = r.transfer_id join app_user as u on u.id = t.user_id
  where r.outcome is null and $1 not in (r.requested_by_id, r.sender_id) and (r.action <> 'approve' or t.state = 'in_review')
    -- A reservation waits for its report, not for a second person.
    and (r.action not in ('pay_by_hand', 'refund_by_hand') or r.proof_id is not null)
  union all
  select r.id::text, 'second_person', r.requested_at, null, null, 'books', true
  from book_request as r where r.outcome is null and r.requested_by_id <> $1 and r.sender_id is distinct from $1
  union all
  select 'rate-' || r.id, 'second_person', r.awaiting_since, null, null, 'rate', true
  from rate_change as r where r.state = 'awaiting_confirmation' and r.proposed_by_id <> $1`;

/** SQL: reminders of the reader's repeating transfers, except for dates they had already skipped. $3: now. */
const remindersSql = `
  select r.id::text, 'repeat_due', r.created_at, null, c.name, null,
    case when r.problem = 'recipient_gone' then p.state = 'paused'
      else p.state = 'active' and r.skipped_at is null and r.lapses_at > $3 end
    and not exists (select from transfer as t where t.id = any (r.transfer_ids::uuid[]) and t.paid_at is not null)
  from repeat_reminder as r join repeat_plan as p on p.id = r.plan_id join recipient as c on c.id = p.recipient_id
  where r.user_id = $1 and r.created_at > $2 and r.skipped_at is distinct from r.created_at`;

const newsSql = ({ isAdmin }: NewsReader, { since, until }: { since: string; until: string }) =>
  [stepsSql(since, until), remindersSql, ...(isAdmin ? [waitingSql] : [])].join(' union all ');
/** SQL: up to when the reader has read, and later items within the time that a step is news. */
const readUntil = '(select news_read_until from app_user where id = $1)';
const unread = `greatest($2::timestamptz, ${readUntil})`;
const valuesOf = ({ userId }: NewsReader, now: Date) => [userId, new Date(now.getTime() - newsMs), now];
const _nameOf = (what: string, { isAdmin }: NewsReader) => `${what}-news-${isAdmin ? 'admin' : 'sender'}`;

/** The newest news after a position; one more than `limit` if there are more. */
export async function findNews(
  em: EntityManager,
  reader: NewsReader,
  { after, limit, now }: { after: Position | null; limit: number; now: Date },
): Promise<NewsRow[]> {
  const statement = `
      select news.id, news.kind, news.at as "createdAt", news.at > reader.news_read_until as unread, news.current, news.subject,
        news.transfer_id as "transferId", news.person, t.amount_minor::text as "amountMinor", t.currency,
        t.bolivianos_minor::text as "bolivianosMinor", t.returned_minor::text as "returnedMinor",
        t.payout_returned_minor::text as "payoutReturnedMinor",
        p.fixed, p.amount_minor::text as "repeatedMinor", p.currency as "repeatedIn", r.problem
      from (${newsSql(reader, { since: '$2', until: '$4' })}) as news join app_user as reader on reader.id = $1 left join transfer as t on t.id = news.transfer_id
        left join repeat_reminder as r on r.id = case news.kind when 'repeat_due' then news.id::uuid end
        left join repeat_plan as p on p.id = r.plan_id
      where $4::timestamptz is null or (news.at, news.id) < ($4, $5)
      order by news.at desc, news.id desc limit $6`;
  const values = [...valuesOf(reader, now), after?.createdAt ?? null, after?.id ?? null, limit + 1];
  const rows = await runSql<Omit<NewsRow, 'createdAt'> & { createdAt: string }>(em, statement, values);
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: new Date(createdAt) }));
}

/** Number of unread items, counted up to `most`. */
export async function countUnreadNews(
  em: EntityManager,
  reader: NewsReader,
  { most, now }: { most: number; now: Date },
): Promise<number> {
  const statement = `
      select count(*)::int as unread from (
        select from (${newsSql(reader, { since: unread, until: 'null' })}) as news where news.at > ${readUntil} limit $4
      ) as counted`;
  const [counted] = await runSql<{ unread: number }>(em, statement, [...valuesOf(reader, now), most]);
  return counted?.unread ?? 0;
}

/** Marks all news up to a moment as read. Returns false if it already was. */
export async function noteNewsRead(em: EntityManager, userId: string, until: Date): Promise<boolean> {
  const statement = 'update app_user set news_read_until = $2 where id = $1 and news_read_until < $2 returning id';
  return (await runSql(em, statement, [userId, until])).length > 0;
}

/** Up to when users have read their news. */
export async function findNewsRead(
  em: EntityManager,
  userIds: readonly string[],
): Promise<{ readonly userId: string; readonly until: Date }[]> {
  const statement = 'select id as "userId", news_read_until as until from app_user where id = any ($1::uuid[])';
  const rows = await runSql<{ userId: string; until: string }>(em, statement, [userIds]);
  return rows.map(({ userId, until }) => ({ userId, until: new Date(until) }));
}
