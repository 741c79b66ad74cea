import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, FileInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { FileInput as SentFile } from '#core/contracts/http/files';
import type { DeskCaseView } from '#core/contracts/http/operations';
import { formatMinor, parseMinor } from '#core/money/money';
import { focusFirstProblem, refusedField } from '../../../lib/form-failure.ts';
import { formatDecimal } from '../../../lib/format/numbers.ts';
import { ApiFailure } from '../../../lib/http.ts';
import { acceptedTypes, readUpload, type UploadControl, uploadProblem } from '../../../lib/uploads.ts';
import { AmountInput } from '../../../ui/decimal-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { isInterrupted, UploadProblem, UploadProgress, useUpload } from '../../shared/upload-progress.tsx';
import { DialogTitle } from '../admin-drawer.tsx';
import { changesSince, type MovedMoney, Refused } from './action-messages.tsx';

const reasonMax = 500;
const bankReferenceMax = 60;

export type Field = 'reason' | 'bank_reference' | 'amount' | 'proof';

interface Entry {
  reason: string;
  bank_reference: string;
  amount: string;
  proof: File | null;
}
const blank: Entry = { reason: '', bank_reference: '', amount: '', proof: null };

/** What a person entered, as it is sent: the amount as decimal text, the file read. */
export interface Entered {
  readonly reason: string;
  readonly bank_reference: string;
  readonly amount: string;
  readonly proof: SentFile | null;
}

/** The texts of a dialog and its required fields. A reason is always required. */
export interface EntryCopy {
  readonly title: string;
  readonly effect: string;
  readonly button: string;
  readonly tone: 'green' | 'red';
  readonly needed: readonly Field[];
  readonly labels?: Partial<Record<Field, string>>;
  /** The expected amount, shown next to its field. */
  readonly due?: string;
}

/** Asks for what an action needs, and says what it does before it is done. */
export function EntryDialog({
  one,
  copy,
  money,
  accounts = false,
  isGone,
  call,
  send,
  close,
}: {
  one: DeskCaseView;
  copy: EntryCopy;
  money: MovedMoney | null;
  /** Lets the person choose the account to pay, instead of showing it. */
  accounts?: ReactNode;
  /** A colleague was first: it cannot be done any more. */
  isGone: boolean;
  call: { readonly isPending: boolean; readonly error: Error | null };
  /** Sends what was entered; `done` closes the dialog. */
  send: (entered: Entered, control: UploadControl, on: { settled: () => void; done: () => void }) => void;
  close: () => void;
}) {
  const [entry, setEntry] = useState(blank);
  const [isAsked, setIsAsked] = useState(false);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const [opened, setOpened] = useState(true);
  const upload = useUpload();
  // A second press while the proof is read would follow an upload that is never sent.
  const isReading = useRef(false);
  const [seen] = useState(one);
  const { needed, labels = {} } = copy;
  const problems = problemsOf(entry, needed);
  const to = money?.to;
  const leave = () => !call.isPending && setOpened(false);
  const isRefused = call.error !== null && isGone;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsAsked(true);
    if (call.isPending || isReading.current) return;
    if (Object.keys(problems).length > 0) return focusFirstProblem({ currentTarget: event.currentTarget });
    isReading.current = true;
    const entered = await read(entry).catch(() => null);
    isReading.current = false;
    setIsUnreadable(entered === null);
    if (entered) send(entered, upload.begin(), { settled: upload.end, done: () => setOpened(false) });
  };
  const field = (name: Field) => ({
    label: labels[name] ?? labelOf(name, needed),
    error: (isAsked && problems[name]) || refusalAt(call.error, name),
    disabled: call.isPending || isRefused,
    'data-testid': `desk-${name}`,
  });
  const set = (change: Partial<Entry>) => setEntry((known) => ({ ...known, ...change }));
  const isInterruptedUpload = entry.proof !== null && isInterrupted(call.error);
  return (
    <Dialog
      opened={opened}
      onClose={leave}
      onExitTransitionEnd={close}
      title={<DialogTitle>{copy.title}</DialogTitle>}
      zIndex={300}
      size="md"
      data-testid="desk-dialog"
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text>{copy.effect}</Text>
          {money && (
            <Text fz="sm" data-testid="desk-money">
              {money.label}: <b className="cq-num">{money.amount}</b>
              {!accounts && (
                <>
                  <br />
                  <Trans>A: {to}</Trans>
                </>
              )}
            </Text>
          )}
          {accounts}
          {needed.includes('bank_reference') && (
            <TextInput
              {...field('bank_reference')}
              description={t`El número de la transferencia que hiciste en el banco.`}
              maxLength={bankReferenceMax}
              value={entry.bank_reference}
              onChange={(event) => set({ bank_reference: event.currentTarget.value })}
            />
          )}
          {needed.includes('amount') && (
            <div>
              <AmountInput
                label={field('amount').label}
                value={entry.amount}
                onChange={(amount) => set({ amount })}
                error={field('amount').error || null}
                testid="desk-amount"
              />
              <Text fz="sm" c="dimmed" mt={4}>
                {copy.due}
              </Text>
            </div>
          )}
          {needed.includes('proof') && (
            <FileInput
              {...field('proof')}
              size="md"
              description={t`PDF, PNG o JPG, hasta 2 MB.`}
              placeholder={t`Elegir archivo`}
              leftSection={<IconPaperclip size={18} aria-hidden />}
              accept={acceptedTypes}
              clearable
              clearButtonProps={{ 'aria-label': t`Quitar el archivo` }}
              value={entry.proof}
              onChange={(proof) => set({ proof })}
            />
          )}
          <Textarea
            {...field('reason')}
            value={entry.reason}
            onChange={(event) => set({ reason: event.currentTarget.value })}
            maxLength={reasonMax}
            autosize
            minRows={2}
          />
          {isUnreadable && <Refused error={t`No se pudo leer el archivo. Elígelo otra vez.`} />}
          {entry.proof && <UploadProgress upload={upload} name={entry.proof.name} />}
          {isInterruptedUpload && <UploadProblem error={call.error} />}
          {call.error && !isAboutField(call.error) && !isInterruptedUpload && (
            <Refused error={call.error} changes={changesSince(seen, one)} />
          )}
          <div className="cq-dialog-actions">
            <Button variant="default" onClick={leave} disabled={call.isPending}>
              {isRefused ? t`Cerrar` : t`Volver`}
            </Button>
            {!isRefused && (
              <Button type="submit" color={copy.tone} loading={call.isPending} data-testid="desk-confirm">
                {copy.button}
              </Button>
            )}
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}

function labelOf(field: Field, needed: readonly Field[]): string {
  switch (field) {
    case 'reason':
      return needed.includes('reason') ? t`Motivo` : t`Motivo (opcional)`;
    case 'bank_reference':
      return t`Referencia del banco`;
    case 'amount':
      return t`Bolivianos pagados`;
    case 'proof':
      return t`Comprobante`;
  }
}

function problemsOf(entry: Entry, needed: readonly Field[]): Partial<Record<Field, string>> {
  const example = formatDecimal('1291.17');
  const found: Record<Field, string | null> = {
    reason: entry.reason.trim() === '' ? t`Escribe el motivo: queda registrado` : null,
    bank_reference: entry.bank_reference.trim() === '' ? t`Escribe la referencia que dio el banco` : null,
    amount: (parseMinor(entry.amount) ?? 0n) > 0n ? null : t`Escribe el monto exacto, por ejemplo ${example}`,
    proof: entry.proof ? uploadProblem(entry.proof) : t`Adjunta el comprobante`,
  };
  return Object.fromEntries(needed.flatMap((name) => (found[name] ? [[name, found[name]]] : [])));
}

async function read(entry: Entry): Promise<Entered> {
  return {
    reason: entry.reason.trim(),
    bank_reference: entry.bank_reference.trim(),
    amount: formatMinor(parseMinor(entry.amount) ?? 0n),
    proof: entry.proof && (await readUpload(entry.proof)),
  };
}

/** Refusals about one field that the server does not name by that field. */
const fieldOfCode: Readonly<Partial<Record<string, Field>>> = { amount_differs: 'amount' };

function refusalAt(error: Error | null, field: Field): string | null {
  if (!(error instanceof ApiFailure)) return null;
  return fieldOfCode[error.code] === field ? error.userMessage : refusedField(error, field);
}

/** Refusals that are shown next to a field. */
const isAboutField = (error: Error) => error instanceof ApiFailure && error.code in fieldOfCode;
