import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Radio, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import type { ComplaintReason, ComplaintWant, Regime } from '#core/complaints/complaint';
import type { ComplaintView } from '#core/contracts/http/complaints';
import type { TransferView } from '#core/contracts/http/transfers';
import { transferComplaintsQuery, useReportComplaint } from '../../data/complaints.ts';
import { dropDraft, useDraft } from '../../data/drafts.ts';
import { attachToComplaint } from '../../data/files.ts';
import { focusFirstProblem, refusedField } from '../../lib/form-failure.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useIsDesktop } from '../../ui/hooks.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { complaintReasonLabel, complaintWantLabel, reasonOrder, wantOrder } from '../shared/complaint-texts.tsx';
import { FilesField, filesProblem, useUploads } from '../shared/files.tsx';

const descriptionMin = 10;
const descriptionMax = 2000;

/** Asks what went wrong with a transfer and what the sender wants, and says until when we answer. */
export function ReportProblem({ transfer, onClose }: { transfer: TransferView; onClose: () => void }) {
  const wide = useIsDesktop();
  const query = useQuery(transferComplaintsQuery(transfer.id));
  const report = useReportComplaint(transfer.id);
  const [isUploading, setUploading] = useState(false);
  const close = () => !report.isPending && !isUploading && onClose();
  return (
    <Dialog
      opened
      onClose={close}
      closable={!report.isPending && !isUploading}
      title={t`Reportar un problema`}
      size="lg"
      fullScreen={!wide}
      closeOnClickOutside={false}
    >
      <QueryView query={query} loading={<LoadingRows rows={4} height={56} />}>
        {({ regime, items }) => (
          <Form
            regime={regime}
            open={items.filter(({ closedAt }) => closedAt === null).map(({ reason }) => reason)}
            draft={`report ${transfer.id}`}
            report={report}
            onUploading={setUploading}
            close={close}
            onDone={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  );
}

interface Entry {
  readonly reason: ComplaintReason | '';
  readonly wants: ComplaintWant | '';
  readonly description: string;
}

function Form({
  draft,
  regime,
  open,
  report,
  onUploading,
  close,
  onDone,
}: {
  /** The name of what was typed here and not sent. */
  draft: string;
  regime: Regime;
  /** Reasons that are being investigated already. */
  open: readonly ComplaintReason[];
  report: ReturnType<typeof useReportComplaint>;
  onUploading: (isUploading: boolean) => void;
  close: () => void;
  onDone: () => void;
}) {
  const [entry, setEntry] = useDraft<Entry>(draft, { reason: '', wants: '', description: '' });
  const { reason, wants, description } = entry;
  const queryClient = useQueryClient();
  const { files, setFiles, isUploading, uploadAll, status } = useUploads();
  const [reported, setReported] = useState<ComplaintView | null>(null);
  const [isAsked, setIsAsked] = useState(false);
  const set = (change: Partial<Entry>) => setEntry({ ...entry, ...change });
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);
  const isSent = report.isPending || reported !== null;
  const isShort = description.trim().length < descriptionMin;
  /** The report is there: what cannot be uploaded stays picked. */
  const addFiles = async (to: ComplaintView) => {
    const isDone = await uploadAll((file, control) => attachToComplaint(queryClient, to, file, control));
    if (isDone) onDone();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsAsked(true);
    if (report.isPending || isUploading) return;
    if (reported) return void addFiles(reported);
    if (reason === '' || wants === '' || isShort || filesProblem(files))
      return focusFirstProblem({ currentTarget: event.currentTarget });
    report.mutate(
      { reason, wants, description: description.trim() },
      {
        onSuccess: (reported) => {
          dropDraft(draft);
          toastDone(t`Recibimos tu reporte`, t`Te lo confirmamos por correo. Aquí ves cómo avanza.`);
          setReported(reported);
          return addFiles(reported);
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate data-testid="report-form">
      <Stack gap="lg">
        <Text data-testid="report-rules">{rulesText(regime)}</Text>
        <Radio.Group
          label={t`¿Qué pasó?`}
          value={reason}
          onChange={(value) => set({ reason: value as ComplaintReason })}
          error={isAsked && reason === '' ? t`Elige qué pasó` : null}
        >
          <Stack gap="xs" mt={6}>
            {reasonOrder.map((one) => (
              <Radio
                key={one}
                value={one}
                label={complaintReasonLabel(one)}
                disabled={isSent || open.includes(one)}
                description={open.includes(one) ? t`Ya lo reportaste y lo estamos investigando.` : null}
                data-testid={`report-reason-${one}`}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea
          label={t`Cuéntanos qué pasó`}
          description={t`Por ejemplo: cuánto llegó, cuándo y cómo lo supiste. Sin números de tarjeta.`}
          value={description}
          onChange={(event) => set({ description: event.currentTarget.value })}
          error={
            (isAsked && isShort && t`Cuéntanos qué pasó, con al menos 10 letras`) ||
            refusedField(report.error, 'description')
          }
          maxLength={descriptionMax}
          autosize
          minRows={3}
          disabled={isSent}
          data-testid="report-description"
        />
        <Radio.Group
          label={t`¿Qué quieres que hagamos?`}
          value={wants}
          onChange={(value) => set({ wants: value as ComplaintWant })}
          error={isAsked && wants === '' ? t`Elige qué quieres` : null}
        >
          <Stack gap="xs" mt={6}>
            {wantOrder.map((one) => (
              <Radio
                key={one}
                value={one}
                label={complaintWantLabel(one)}
                disabled={isSent}
                data-testid={`report-wants-${one}`}
              />
            ))}
          </Stack>
        </Radio.Group>
        <FilesField files={files} onChange={setFiles} disabled={report.isPending || isUploading} />
        {status}
        {reported && !isUploading && files.length > 0 && (
          <Text fz="sm">
            <Trans>Tu reporte ya está enviado. Faltan los archivos: súbelos ahora o después, desde el reporte.</Trans>
          </Text>
        )}
        {report.error && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="report-refused">
            {errorMessage(report.error)}
          </Alert>
        )}
        <div className="cq-dialog-actions">
          <Button variant="default" onClick={close} disabled={report.isPending || isUploading}>
            <Trans>Volver al envío</Trans>
          </Button>
          <Button type="submit" loading={report.isPending || isUploading} data-testid="report-send">
            {reported ? t`Subir` : t`Enviar el reporte`}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** By which rules a report is handled, before it is written. */
function rulesText(regime: Regime): string {
  switch (regime) {
    case 'reg_e':
      return t`Lo investiga una persona, en 90 días como máximo. Te contamos el resultado en los 3 días hábiles siguientes y, si hubo un error, lo corregimos.`;
    case 'psd2':
      return t`Te respondemos en 15 días hábiles como máximo. Si necesitamos más tiempo, te escribimos por qué y respondemos en 35.`;
    case 'own':
      return t`Pasaron más de 180 días desde la fecha en que el dinero debía estar disponible, así que los plazos de la ley para errores ya no corren. Lo atendemos como queja y te respondemos en 15 días hábiles.`;
  }
}
