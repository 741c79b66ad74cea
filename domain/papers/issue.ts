import type { Company } from '#core/contracts/company';
import { Failure } from '#core/contracts/failures';
import type { ReceiptView } from '#core/contracts/http/receipts';
import { formats } from '#core/locale/format';
import type { Locale } from '#core/locale/locale';
import { receiptParties, receiptSections } from '#core/papers/receipt-lines';
import { type ReceiptFacts, receiptTexts } from '#core/papers/receipt-texts';
import { disclosureTexts, letterTexts, maskedRest, paperTitles, type StatedFacts } from '#core/papers/stated';
import { referenceOf } from '#core/transfers/reference';
import type { EntityManager } from '#platform/database/database';
import { findUser } from '../accounts/account.repository.ts';
import { findComplaint, findLetter } from '../complaints/complaint.repository.ts';
import { readReceiptFacts } from '../transfer-views/receipt.ts';
import { findDisclosure } from '../transfers/disclosure.repository.ts';
import { findOwnTransfer } from '../transfers/transfer.repository.ts';
import { issuePaper, keepPaperFile } from './paper.repository.ts';
import { sealOf } from './seal.ts';
import { type Seal, Sheet } from './sheet.ts';

interface Ask {
  readonly sender: { id: string; name: string; email: string };
  readonly transferId: string;
  readonly language: Locale;
  /** The product's public URL. */
  readonly publicUrl: string;
  /** The issuer. */
  readonly company: Company;
  readonly at: Date;
}

/** A finished file. */
export interface PaperFileContent {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Issues the receipt of a sender's own paid transfer as a PDF; its facts and the file's hash are stored.
 * @throws Failure `not_found`, also for another user's transfer and one that was never paid.
 */
export async function issueReceipt(
  em: EntityManager,
  ask: Ask & { contact: ReceiptView['contact'] },
): Promise<PaperFileContent> {
  const receipt = await readReceiptFacts(em, ask);
  // The numbers are printed on the paper only: its check page just shows that there were some.
  const { recipient } = receipt;
  const hidden = recipient && { ...recipient, ci: maskedRest, phone: maskedRest };
  const facts = { kind: 'receipt', receipt: { ...receipt, recipient: hidden } } as const;
  const content = await issueFile(em, ask, facts, (sheet) => writeReceipt(sheet, receipt, ask));
  return { name: `${ask.language === 'es' ? 'recibo' : 'receipt'}-${receipt.number}.pdf`, content };
}

/**
 * The disclosure that a sender saw before paying, with its stored text, as a PDF.
 * @throws Failure `not_found`, also if it was not stored.
 */
export async function issueDisclosure(em: EntityManager, ask: Ask): Promise<PaperFileContent> {
  const transfer = await findOwnTransfer(em, ask.sender.id, ask.transferId);
  const disclosure = await findDisclosure(em, transfer.id);
  const shown = disclosure?.texts.find(({ language }) => language === ask.language);
  if (!disclosure || !shown) throw new Failure('not_found');
  const number = referenceOf(transfer.id);
  const shownAt = disclosure.at.toISOString();
  const facts = { kind: 'disclosure', number, shownAt, texts: disclosure.texts } as const;
  const texts = disclosureTexts[ask.language];
  const content = await issueFile(em, ask, facts, (sheet) => {
    const moment = formats[ask.language].fullMoment(shownAt);
    sheet.head(paperTitles[ask.language].disclosure, [`${texts.number} ${number}`, `${texts.shown}: ${moment}`]);
    sheet.section({ title: shown.title, lines: shown.lines });
    sheet.paragraphs(null, [['', texts.note]]);
  });
  return { name: `${ask.language === 'es' ? 'antes-de-pagar' : 'before-paying'}-${number}.pdf`, content };
}

/**
 * A letter about a report as a PDF with the text that was sent; its facts and the file's hash are stored.
 * @throws Failure `not_found`, for a sender also for another user's letter.
 */
export async function issueLetter(
  em: EntityManager,
  { letterId, readerId, ...ask }: Omit<Ask, 'sender' | 'transferId'> & { letterId: string; readerId: string | 'admin' },
): Promise<PaperFileContent> {
  const letter = await findLetter(em, letterId);
  const complaint = letter && (await findComplaint(em, letter.complaintId));
  const sender = complaint && (await findUser(em, complaint.senderId));
  if (!sender || (readerId !== 'admin' && sender.id !== readerId)) throw new Failure('not_found');
  const { language } = ask;
  const { transferId } = complaint;
  const written = letter.texts.find((text) => text.language === language);
  if (!written) throw new Failure('not_found');
  const { id, name, email } = sender;
  const number = referenceOf(transferId);
  const sentAt = letter.at.toISOString();
  const facts = { kind: 'letter', number, sender: { name, email }, sentAt, texts: letter.texts } as const;
  const texts = letterTexts[language];
  const about = { ...ask, sender: { id, name, email }, transferId };
  const content = await issueFile(em, about, facts, (sheet) => {
    const moment = formats[language].fullMoment(sentAt);
    sheet.head(paperTitles[language].letter, [`${texts.number} ${number}`, `${texts.sent}: ${moment}`]);
    sheet.columns([{ title: texts.to, lines: [name, email] }]);
    sheet.standing(written.subject);
    for (const paragraph of written.paragraphs) sheet.body(paragraph);
    if (written.details.length > 0) sheet.section({ title: texts.report, lines: written.details });
  });
  return { name: `${language === 'es' ? 'carta' : 'letter'}-${number}-${letter.kind}.pdf`, content };
}

async function issueFile(
  em: EntityManager,
  { sender, transferId, language, publicUrl, company, at }: Ask,
  facts: StatedFacts,
  write: (sheet: Sheet) => void,
): Promise<Buffer> {
  const paper = await issuePaper(em, { facts, userId: sender.id, transferId, at });
  const title = `${paperTitles[language][facts.kind]} ${referenceOf(transferId)}`;
  const sheet = new Sheet({ title, language, footer: `Chasqui · ${title}` });
  write(sheet);
  const seal: Seal = sealOf(paper, { language, publicUrl, company });
  sheet.seal(seal);
  const content = await sheet.end(paper.issuedAt);
  await keepPaperFile(em, { content, code: paper.code, language, at });
  return content;
}

function writeReceipt(
  sheet: Sheet,
  receipt: ReceiptFacts,
  { contact, language, publicUrl }: Ask & { contact: ReceiptView['contact'] },
): void {
  const texts = receiptTexts[language];
  // Without the scheme, as people type it.
  const site = `${publicUrl.replace(/^https?:\/\//, '')}${language === 'en' ? '/en' : ''}`;
  sheet.head(texts.title, [`${texts.number} ${receipt.number}`]);
  sheet.standing(texts.standing(receipt));
  sheet.columns(receiptParties(receipt, language));
  for (const section of receiptSections(receipt, language)) sheet.section(section);
  const ways = [
    `Chasqui, ${site}/ayuda`,
    ...(contact.whatsapp ? [`WhatsApp +${contact.whatsapp}`] : []),
    ...(contact.email ? [`${texts.email} ${contact.email}`] : []),
  ];
  sheet.paragraphs(texts.rights, [
    texts.cancelling,
    texts.errors,
    [texts.contact, `${ways.join(', ')}.`],
    texts.authorities,
  ]);
  sheet.paragraphs(null, [['', `${texts.figures(receipt).join(' ')}: ${site}/terms`]]);
}
