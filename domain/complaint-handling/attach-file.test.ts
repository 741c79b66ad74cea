import { describe, expect, it } from 'vitest';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { refusal } from '../../testing/desk-fixture.ts';
import { readAttachment } from '../attachments/attachment.repository.ts';
import { findOwnComplaintPage } from '../complaints/complaint.repository.ts';
import { answerQuestion, askSender, listOwnQuestions, listQuestions } from '../review/questions.ts';
import { attachToAnswer, attachToComplaint } from './attach-file.ts';
import { toComplaintViews } from './complaint-views.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

const fileOf = (text: string) =>
  ({ name: `${text}.pdf`, type: 'application/pdf', bytes: Buffer.from(`%PDF-${text}`) }) as const;

async function reported() {
  const transferId = await complaints.createPaid();
  const { id: complaintId } = await complaints.report(transferId);
  const { userId } = await fixture.see(transferId);
  const attach = (text: string, by = userId) =>
    attachToComplaint(fixture.database, { userId: by, complaintId, file: fileOf(text), at: fixture.now });
  return { complaintId, userId, attach };
}

describe('files of a report', () => {
  it('can be read by its sender and by admins only', async () => {
    const { complaintId, userId, attach } = await reported();
    const { version } = await complaints.view(complaintId);
    const [file] = await attach('extracto');
    expect(file).toMatchObject({ name: 'extracto.pdf', type: 'application/pdf', size: 13 });
    expect(await complaints.view(complaintId)).toMatchObject({ files: [file], version: version + 1 });
    const { rows } = await findOwnComplaintPage(fixture.database.fork(), userId, { limit: 1 });
    expect((await toComplaintViews(fixture.database.fork(), rows))[0]?.files).toEqual([file]);
    const read = (reader: Parameters<typeof readAttachment>[2]) =>
      readAttachment(fixture.database.fork(), file?.id ?? '', reader);
    for (const reader of [{ userId }, 'admin'] as const) {
      expect(Buffer.from((await read(reader)).bytes).toString()).toBe('%PDF-extracto');
    }
    await expect(read({ userId: desk.luis })).rejects.toEqual(refusal('not_found'));
  });

  it('are limited to five, without duplicates, also under concurrency', async () => {
    const { attach } = await reported();
    await Promise.all([attach('a'), attach('a')]);
    for (const text of ['b', 'c', 'd', 'e']) await attach(text);
    expect(await attach('a')).toHaveLength(5);
    await expect(attach('f')).rejects.toMatchObject({ code: 'too_many_files', details: { most: 5 } });
  });

  it('can be added by its sender only, and only while it is open', async () => {
    const { complaintId, attach } = await reported();
    await expect(attach('x', desk.ana)).rejects.toEqual(refusal('not_found'));
    await complaints.conclude(complaintId, { finding: 'no_error' });
    await expect(attach('x')).rejects.toEqual(refusal('complaint_decided'));
  });
});

it('files of an answer are added before it is sent, and admins see them with it', async () => {
  const transferId = await fixture.create({ state: 'in_review' });
  const { userId } = await fixture.see(transferId);
  const at = fixture.now;
  const request = { transferId, adminId: desk.ana, id: crypto.randomUUID(), code: 'purpose', note: null, at } as const;
  const { question } = await askSender(fixture.database, request);
  const attach = (text: string, by = userId) =>
    attachToAnswer(fixture.database, { userId: by, transferId, questionId: question.id, file: fileOf(text), at });
  await expect(attach('x', desk.luis)).rejects.toEqual(refusal('not_found'));
  const files = await attach('contrato');
  const own = await listOwnQuestions(fixture.database.fork(), { userId, transferId }, { limit: 10 });
  expect(own.items[0]?.files).toEqual(files);
  const input = { userId, transferId, questionId: question.id, text: 'Es el alquiler.', at };
  expect((await answerQuestion(fixture.database, input)).question.files).toEqual(files);
  const seen = await listQuestions(fixture.database.fork(), transferId, { limit: 10 });
  expect(seen.items[0]).toMatchObject({ files, answer: { text: 'Es el alquiler.' } });
  await expect(attach('tarde')).rejects.toEqual(refusal('question_closed'));
});
