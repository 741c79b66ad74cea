import { Database, type DatabaseOptions } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { AccountBlock, AccountNote } from './account-oversight/account-block.entity.ts';
import { RoleRequest } from './account-oversight/role-request.entity.ts';
import { User } from './accounts/account.entity.ts';
import { AccountChange, AccountChangeLink } from './accounts/account-change.entity.ts';
import { LegalHold } from './accounts/legal-hold.entity.ts';
import { Attachment } from './attachments/attachment.entity.ts';
import { AuditEntry } from './audit/audit.entity.ts';
import { Complaint, ComplaintLetter, ComplaintNote, ComplaintReminder } from './complaints/complaint.entity.ts';
import { CryptoOrder } from './crypto/crypto-order.entity.ts';
import { DeskCase, DeskNote } from './desk/desk-case.entity.ts';
import { DeskProof, DeskRequest } from './desk/desk-request.entity.ts';
import { Dispute } from './disputes/dispute.entity.ts';
import { Email } from './emails/email.entity.ts';
import { HoldRelease } from './holds/hold-release.entity.ts';
import { IdentityCheck } from './identity/identity-check.entity.ts';
import { MoneyStop } from './money-stops/money-stop.entity.ts';
import { Paper, PaperFile } from './papers/paper.entity.ts';
import { DeclinedAttempt, PaymentOrigin } from './payments/declined-attempt.entity.ts';
import { IdempotencyKey } from './payments/idempotency-key.entity.ts';
import { StripeEvent } from './payments/stripe-event.entity.ts';
import { BankReturn } from './payouts/bank-return.entity.ts';
import { Operation, ProviderCircuit } from './provider-calls/operation.entity.ts';
import { QueuePause } from './queue-pauses/queue-pause.entity.ts';
import { BankRate, RateObservation } from './rate-observations/observation.entity.ts';
import { RateRun } from './rate-observations/rate-run.entity.ts';
import { RateAlert, RateChange, RateEntry, RatePause } from './rates/rate.entity.ts';
import { NameCheck } from './recipients/name-check.entity.ts';
import { Recipient } from './recipients/recipient.entity.ts';
import { BookDay, BookException, BookRequest, DayClosing } from './reconciliation/book-exception.entity.ts';
import {
  BankEntry,
  BankStatement,
  ImportProgress,
  SettlementPosting,
  StripeEntry,
} from './reconciliation/source-entry.entity.ts';
import { RepeatPlan, RepeatReminder } from './repeats/repeat.entity.ts';
import { ReviewAnswer, ReviewQuestion } from './review/question.entity.ts';
import { NameClearance, Review } from './review/review.entity.ts';
import { EmailChange, EmailChangeLink } from './sign-in/email-change.entity.ts';
import { EmailProof } from './sign-in/email-proof.entity.ts';
import { KnownDevice } from './sign-in/known-device.entity.ts';
import { PasswordReset, PasswordResetLink } from './sign-in/password-reset.entity.ts';
import {
  PendingSignIn,
  RecoveryCode,
  SecondFactor,
  WebauthnChallenge,
  WebauthnCredential,
} from './sign-in/second-factor.entity.ts';
import { Session } from './sign-in/session.entity.ts';
import { stepSubscribers } from './step-subscribers.ts';
import { Disclosure } from './transfers/disclosure.entity.ts';
import { Posting } from './transfers/posting.entity.ts';
import { subscribeToSteps } from './transfers/steps.ts';
import { TrackingLink } from './transfers/tracking-link.entity.ts';
import { Transfer, TransferStep } from './transfers/transfer.entity.ts';
import { PushSubscription, WebPush } from './web-pushes/web-push.entity.ts';
import { WebhookDelivery, WebhookEndpoint } from './webhooks/webhook.entity.ts';

/** Every table of the product. An entity missing here cannot be read or written. */
const entities = [
  User,
  Session,
  KnownDevice,
  SecondFactor,
  RecoveryCode,
  PendingSignIn,
  WebauthnCredential,
  WebauthnChallenge,
  EmailChange,
  EmailChangeLink,
  AccountChange,
  AccountChangeLink,
  EmailProof,
  IdentityCheck,
  PasswordReset,
  PasswordResetLink,
  Recipient,
  NameCheck,
  IdempotencyKey,
  RateEntry,
  RateRun,
  RateObservation,
  RateChange,
  RatePause,
  BankRate,
  RateAlert,
  RepeatPlan,
  RepeatReminder,
  Email,
  PushSubscription,
  WebPush,
  Transfer,
  TransferStep,
  Posting,
  Disclosure,
  Paper,
  PaperFile,
  TrackingLink,
  HoldRelease,
  Operation,
  ProviderCircuit,
  DeskCase,
  MoneyStop,
  QueuePause,
  BankReturn,
  Dispute,
  DeskNote,
  AccountBlock,
  RoleRequest,
  AccountNote,
  LegalHold,
  AuditEntry,
  DeskRequest,
  DeskProof,
  Attachment,
  Complaint,
  ComplaintLetter,
  ComplaintNote,
  ComplaintReminder,
  Review,
  ReviewQuestion,
  ReviewAnswer,
  NameClearance,
  CryptoOrder,
  OutboxRow,
  StripeEvent,
  PaymentOrigin,
  DeclinedAttempt,
  StripeEntry,
  ImportProgress,
  BankStatement,
  BankEntry,
  SettlementPosting,
  BookException,
  BookRequest,
  BookDay,
  DayClosing,
  WebhookEndpoint,
  WebhookDelivery,
];

// Any process that can change transfers also has the subscribers.
subscribeToSteps(stepSubscribers);

/** Opens the database with all entities; nothing is created or migrated. @throws when it cannot be reached. */
export function openDatabase(url: string, options: Omit<DatabaseOptions, 'entities'> = {}): Promise<Database> {
  return Database.open(url, { ...options, entities });
}
