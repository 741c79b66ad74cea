import { Alert, DataList, Text, Timeline, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { formatBolivianos } from '#core/money/format';
import { referenceOf } from '#core/transfers/reference';
import { CopyValue } from '../../../ui/copy-value.tsx';
import classes from '../admin.module.css';
import { laPazShort, laPazTime, zoneName } from '../la-paz-time.ts';
import { cardText, ownerLabel, stepText } from './transfer-labels.ts';

/** The card's bank reports the payment as fraud: the admin who decides should know. */
export function FraudWarning({ transfer }: { transfer: AdminTransferView }) {
  if (!transfer.fraud_warning) return null;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title="El banco de la tarjeta avisa de un posible fraude"
      data-testid="fraud-warning"
    >
      {transfer.state === 'in_review'
        ? 'La tarjeta puede ser robada. Si la rechazas, no se cobra nada y no hay disputa.'
        : 'El cobro puede terminar en una disputa, con su comisión. Devolver el dinero antes la evita.'}
    </Alert>
  );
}

/** A titled part of a drawer. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} mb={8}>
        {title}
      </Title>
      {children}
    </section>
  );
}

/** A labelled value. */
export function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue className={classes.value ?? ''}>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}

/** Whom the bank pays, ready to be copied into a bank's own forms. */
export function Recipient({ transfer }: { transfer: AdminTransferView }) {
  const { bank_name, bank_account, ci, phone, city, address } = transfer.recipient_details;
  if (!transfer.recipient)
    return (
      <Section title="Destinatario">
        <Text>Quien envía todavía no eligió a quién. Se puede aprobar cuando lo haga.</Text>
      </Section>
    );
  return (
    <Section title="Destinatario">
      <DataList size="md" gap={6} labelWidth="104px">
        <Field label="Nombre">
          <CopyValue label="nombre" value={transfer.recipient} />
        </Field>
        <Field label="CI">
          <CopyValue label="CI" value={ci} />
        </Field>
        <Field label="Banco">{bank_name}</Field>
        <Field label="Cuenta">
          <CopyValue label="cuenta" value={bank_account} />
        </Field>
        <Field label="Bolivianos">
          <CopyValue label="monto en bolivianos" value={transfer.amount_bs}>
            {formatBolivianos(transfer.amount_bs)}
          </CopyValue>
        </Field>
        <Field label="Teléfono">
          <CopyValue label="teléfono" value={phone} />
        </Field>
        <Field label="Ciudad">{city}</Field>
        <Field label="Dirección">{address}</Field>
      </DataList>
    </Section>
  );
}

/** Who sends it, and every number it is known by. */
export function Payment({ transfer }: { transfer: AdminTransferView }) {
  return (
    <Section title="Envío y pago">
      <DataList size="md" gap={6} labelWidth="104px">
        <Field label="Envía">{transfer.user}</Field>
        <Field label="Correo">
          <CopyValue label="correo" value={transfer.user_email} />
        </Field>
        <Field label="Tarjeta">{cardText(transfer)}</Field>
        <Field label="Pago">
          <CopyValue label="identificador del pago" value={transfer.payment_id ?? ''} />
        </Field>
        <Field label="Referencia">
          <CopyValue label="referencia de la transferencia" value={referenceOf(transfer.id)} />
        </Field>
        {transfer.payout_reference && (
          <Field label="Ref. banco">
            <CopyValue label="referencia del banco" value={transfer.payout_reference} />
          </Field>
        )}
        {transfer.decided_by && transfer.decided_at && (
          <Field label="Decidió">
            {transfer.decided_by}, {laPazTime(transfer.decided_at)}
          </Field>
        )}
      </DataList>
    </Section>
  );
}

/** Every step of a transfer with its time. */
export function History({ transfer }: { transfer: AdminTransferView }) {
  return (
    <Section title="Historia">
      <Timeline
        active={transfer.timeline.length - 1}
        bulletSize={16}
        lineWidth={2}
        color="green"
        data-testid="admin-timeline"
      >
        {transfer.timeline.map(({ state, at, owner }, index) => (
          <Timeline.Item key={`${state} ${at}`} title={stepText(transfer, index)} data-state={state}>
            <Text fz="sm" c="dimmed" className="cq-num">
              {laPazShort(at)} · {ownerLabel(owner)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      <Text fz="sm" c="dimmed" mt="sm">
        Todas las horas en {zoneName} (UTC−4).
      </Text>
    </Section>
  );
}
