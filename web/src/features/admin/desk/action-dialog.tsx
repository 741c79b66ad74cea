import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, FileInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { DeskAction, DeskCaseView } from '#core/contracts/http/operations';
import { formatMinor, parseMinor } from '#core/money/money';
import { type ActionInput, useActOnCase } from '../../../data/desk-cases.ts';
import { focusFirstProblem, refusedField } from '../../../lib/form-failure.ts';
import { formatDecimal } from '../../../lib/format/numbers.ts';
import { ApiFailure } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { acceptedTypes, readUpload, uploadProblem } from '../../../lib/uploads.ts';
import { AmountInput } from '../../../ui/decimal-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { isInterrupted, UploadProblem, UploadProgress, useUpload } from '../../shared/upload-progress.tsx';
import { DialogTitle } from '../admin-drawer.tsx';
import { actionMessages, changesSince, moneyOfAction, Refused } from './action-messages.tsx';

const reasonMax = 500;
const bankReferenceMax = 60;

type Field = 'reason' | 'bank_reference' | 'amount' | 'proof';

/** What each action asks for, beside the reason. */
const asksFor: Readonly<Record<DeskAction, readonly Field[]>> = {
  retry: [],
  give_up_and_refund: ['reason'],
  refund_at_loss: ['reason'],
  pay_by_hand: ['bank_reference', 'amount', 'proof', 'reason'],
  refund_by_hand: ['bank_reference', 'amount', 'proof', 'reason'],
  resolve: ['reason'],
};

interface Entry {
  reason: string;
  bank_reference: string;
  amount: string;
  proof: File | null;
}
const blank: Entry = { reason: '', bank_reference: '', amount: '', proof: null };

/** Asks for what an action needs, and says what it does before it is done. */
export function ActionDialog({ one, action, close }: { one: DeskCaseView; action: DeskAction; close: () => void }) {
  const act = useActOnCase(one.id);
  const [entry, setEntry] = useState(blank);
  const [isAsked, setIsAsked] = useState(false);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const [opened, setOpened] = useState(true);
  const upload = useUpload();
  const [seen] = useState(one);
  const asked = asksFor[action];
  const problems = problemsOf(entry, asked);
  const money = moneyOfAction(one, action);
  const to = money?.to;
  const due = money?.amount ?? '';
  const { title, button, effect, tone } = actionMessages[action];
  const leave = () => !act.isPending && setOpened(false);
  // Somebody else was first: the case has changed under the dialog.
  const isGone = act.error !== null && !one.actions.includes(action);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsAsked(true);
    if (act.isPending) return;
    if (Object.keys(problems).length > 0) return focusFirstProblem({ currentTarget: event.currentTarget });
    const input = await inputOf(action, entry).catch(() => null);
    setIsUnreadable(input === null);
    if (!input) return;
    const call = { ...input, control: upload.begin() };
    act.mutate(call, {
      onSettled: upload.end,
      onSuccess: (answer) => {
        sayDone(answer.case, action);
        setOpened(false);
      },
    });
  };
  const field = (name: Field) => ({
    label: labelOf(name, action),
    error: (isAsked && problems[name]) || refusalAt(act.error, name),
    disabled: act.isPending || isGone,
    'data-testid': `desk-${name}`,
  });
  const set = (change: Partial<Entry>) => setEntry((known) => ({ ...known, ...change }));
  return (
    <Dialog
      opened={opened}
      onClose={leave}
      onExitTransitionEnd={close}
      title={<DialogTitle>{i18n._(title)}</DialogTitle>}
      zIndex={300}
      size="md"
      data-testid="desk-dialog"
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text>{effect(one)}</Text>
          {money && (
            <Text fz="sm" data-testid="desk-money">
              {money.label}: <b className="cq-num">{money.amount}</b>
              <br />
              <Trans>A: {to}</Trans>
            </Text>
          )}
          {asked.includes('bank_reference') && (
            <TextInput
              {...field('bank_reference')}
              description={t`El número de la transferencia que hiciste en el banco.`}
              maxLength={bankReferenceMax}
              value={entry.bank_reference}
              onChange={(event) => set({ bank_reference: event.currentTarget.value })}
            />
          )}
          {asked.includes('amount') && (
            <div>
              <AmountInput
                label={labelOf('amount', action)}
                value={entry.amount}
                onChange={(amount) => set({ amount })}
                error={field('amount').error || null}
                testid="desk-amount"
              />
              <Text fz="sm" c="dimmed" mt={4}>
                {action === 'pay_by_hand' ? t`La familia espera ${due}.` : t`Quien envía espera ${due}.`}
              </Text>
            </div>
          )}
          {asked.includes('proof') && (
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
          {entry.proof && isInterrupted(act.error) && <UploadProblem error={act.error} />}
          {act.error && !isAboutField(act.error) && !(entry.proof && isInterrupted(act.error)) && (
            <Refused error={act.error} changes={changesSince(seen, one)} />
          )}
          <div className="cq-dialog-actions">
            <Button variant="default" onClick={leave} disabled={act.isPending}>
              {isGone ? t`Cerrar` : t`Volver`}
            </Button>
            {!isGone && (
              <Button type="submit" color={tone} loading={act.isPending} data-testid="desk-confirm">
                {i18n._(button)}
              </Button>
            )}
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}

function labelOf(field: Field, action: DeskAction): string {
  switch (field) {
    case 'reason':
      return asksFor[action].includes('reason') ? t`Motivo` : t`Motivo (opcional)`;
    case 'bank_reference':
      return t`Referencia del banco`;
    case 'amount':
      return action === 'pay_by_hand' ? t`Bolivianos pagados` : t`Monto devuelto`;
    case 'proof':
      return t`Comprobante`;
  }
}

function problemsOf(entry: Entry, asked: readonly Field[]): Partial<Record<Field, string>> {
  const example = formatDecimal('1291.17');
  const found: Record<Field, string | null> = {
    reason: entry.reason.trim() === '' ? t`Escribe el motivo: queda registrado` : null,
    bank_reference: entry.bank_reference.trim() === '' ? t`Escribe la referencia que dio el banco` : null,
    amount: (parseMinor(entry.amount) ?? 0n) > 0n ? null : t`Escribe el monto exacto, por ejemplo ${example}`,
    proof: entry.proof ? uploadProblem(entry.proof) : t`Adjunta el comprobante`,
  };
  return Object.fromEntries(asked.flatMap((name) => (found[name] ? [[name, found[name]]] : [])));
}

async function inputOf(action: DeskAction, entry: Entry): Promise<ActionInput> {
  const asked = asksFor[action];
  return {
    action,
    reason: entry.reason.trim(),
    ...(asked.includes('bank_reference') && { bank_reference: entry.bank_reference.trim() }),
    ...(asked.includes('amount') && { amount: formatMinor(parseMinor(entry.amount) ?? 0n) }),
    ...(asked.includes('proof') && entry.proof && { proof: await readUpload(entry.proof) }),
  };
}

/** Refusals that are about one field, beside those that the server names by it. */
const fieldOfCode: Readonly<Partial<Record<string, Field>>> = { amount_differs: 'amount', proof_missing: 'proof' };

function refusalAt(error: Error | null, field: Field): string | null {
  if (!(error instanceof ApiFailure)) return null;
  return fieldOfCode[error.code] === field ? error.userMessage : refusedField(error, field);
}

/** Refusals that stand beside a field. */
const isAboutField = (error: Error) => error instanceof ApiFailure && error.code in fieldOfCode;

function sayDone({ request, transaction }: DeskCaseView, action: DeskAction): void {
  if (request) toastDone(t`Espera a una segunda persona`, t`Otra persona de administración lo tiene que aprobar.`);
  else toastDone(i18n._(actionMessages[action].done), ofSender(transaction.user));
}

/** Whose transfer something was done about. */
export const ofSender = (user: string) => t`Envío de ${user}.`;
