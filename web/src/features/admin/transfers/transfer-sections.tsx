import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Text, Timeline } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { adminUserAddress } from '#core/contracts/page-addresses';
import { referenceOf } from '#core/transfers/reference';
import { adminCall } from '../../../lib/admin-http.ts';
import { formatLaPazMoment, laPazTime, zoneName } from '../../../lib/format/dates.ts';
import { CopyValue } from '../../../ui/copy-value.tsx';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { Money } from '../../../ui/figures.tsx';
import { type Tone, ToneBadge } from '../../../ui/tone-badge.tsx';
import { Section } from '../admin-drawer.tsx';
import { RevealValue } from '../reveal-value.tsx';
import { cardText, ownerLabel, stepText } from './transfer-labels.ts';

/** Who pays how much to whom, above everything that helps to decide about it. */
export function WhatIsSent({ transfer }: { transfer: AdminTransferView }) {
  const { user, recipient, amount, currency, amount_bs } = transfer;
  const bank = transfer.recipient_details.bank_name;
  return (
    <div data-testid="admin-drawer-money">
      <Text fz="lg" fw={700}>
        <Money amount={amount} currency={currency} /> → <Money amount={amount_bs} currency="BOB" />
      </Text>
      {transfer.accepted && (
        <Text fz="sm" data-testid="admin-better-rate">
          {transfer.state === 'in_review' ? (
            <Trans>Se paga a la tasa de hoy si la apruebas ahora: es mejor que la que aceptó.</Trans>
          ) : (
            <Trans>Vale la tasa del momento de aprobarla: era mejor que la que aceptó.</Trans>
          )}
        </Text>
      )}
      <Text style={{ overflowWrap: 'anywhere' }}>
        {user}
        {recipient && ` → ${[recipient, bank].filter(Boolean).join(', ')}`}
      </Text>
    </div>
  );
}

/** The card's bank reports the payment as fraud: the admin who decides should know. */
export function FraudWarning({ transfer }: { transfer: AdminTransferView }) {
  if (!transfer.fraud_warning) return null;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={t`El banco de la tarjeta avisa de un posible fraude`}
      data-testid="fraud-warning"
    >
      {transfer.state === 'in_review'
        ? t`La tarjeta puede ser robada. Si la rechazas, no se cobra nada y no hay disputa.`
        : t`El cobro puede terminar en una disputa, con su comisión. Devolver el dinero antes la evita.`}
    </Alert>
  );
}

function Revealed({
  transfer,
  field,
  label,
}: {
  transfer: AdminTransferView;
  field: 'ci' | 'bank_account' | 'phone';
  label: string;
}) {
  return (
    <RevealValue
      label={label}
      hidden={transfer.recipient_details[field]}
      to="revealNumber"
      reveal={(reason) => adminCall('revealNumber', { params: { id: transfer.id }, body: { field, reason } })}
      testid={`reveal-${field}`}
    />
  );
}

/** Whom the bank pays; its numbers one by one, ready to be copied into a bank's own forms. */
export function Recipient({ transfer }: { transfer: AdminTransferView }) {
  const { bank_name, city, address } = transfer.recipient_details;
  if (!transfer.recipient)
    return (
      <Section title={t`Destinatario`}>
        <Text>
          <Trans>Quien envía todavía no eligió a quién. Se puede aprobar cuando lo haga.</Trans>
        </Text>
      </Section>
    );
  return (
    <Section title={t`Destinatario`}>
      <DataList values="beside" labelWidth={104}>
        <DataItem label={t`Nombre`}>
          <CopyValue label={t`nombre`} value={transfer.recipient} />
        </DataItem>
        <DataItem label={t`CI`}>
          <Revealed transfer={transfer} field="ci" label={t`CI`} />
        </DataItem>
        <DataItem label={t`Banco`}>{bank_name}</DataItem>
        <DataItem label={t`Cuenta`}>
          <Revealed transfer={transfer} field="bank_account" label={t`cuenta`} />
        </DataItem>
        <DataItem label={t`Bolivianos`}>
          <CopyValue label={t`monto en bolivianos`} value={transfer.amount_bs}>
            <Money amount={transfer.amount_bs} currency="BOB" />
          </CopyValue>
        </DataItem>
        <DataItem label={t`Teléfono`}>
          <Revealed transfer={transfer} field="phone" label={t`teléfono`} />
        </DataItem>
        <DataItem label={t`Ciudad`}>{city}</DataItem>
        <DataItem label={t`Dirección`}>{address}</DataItem>
      </DataList>
    </Section>
  );
}

/** Who sends it, and every number it is known by. */
export function Payment({ transfer }: { transfer: AdminTransferView }) {
  return (
    <Section title={t`Envío y pago`}>
      <DataList values="beside" labelWidth={104}>
        <DataItem label={t`Envía`}>
          <Anchor
            component={Link}
            to={adminUserAddress(transfer.user_id)}
            underline="always"
            data-testid="transfer-user"
          >
            {transfer.user}
          </Anchor>
        </DataItem>
        <DataItem label={t`Correo`}>
          <CopyValue label={t`correo`} value={transfer.user_email} />
        </DataItem>
        <DataItem label={t`Tarjeta`}>{cardText(transfer)}</DataItem>
        {transfer.card_risk && <CardRiskItems risk={transfer.card_risk} />}
        <DataItem label={t`Pago`}>
          <CopyValue label={t`identificador del pago`} value={transfer.payment_id ?? ''} />
        </DataItem>
        <DataItem label={t`Referencia`}>
          <CopyValue label={t`referencia de la transferencia`} value={referenceOf(transfer.id)} />
        </DataItem>
        {transfer.payout_reference && (
          <DataItem label={t`Ref. banco`}>
            <CopyValue label={t`referencia del banco`} value={transfer.payout_reference} />
          </DataItem>
        )}
        {transfer.decided_by && transfer.decided_at && (
          <DataItem label={t`Decidió`}>
            {transfer.decided_by}, {laPazTime(transfer.decided_at)}
          </DataItem>
        )}
      </DataList>
    </Section>
  );
}

/** Every step of a transfer with its time. */
export function History({ transfer }: { transfer: AdminTransferView }) {
  const zone = zoneName();
  return (
    <Section title={t`Historia`}>
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
              {formatLaPazMoment(at)} · {ownerLabel(owner)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      <Text fz="sm" c="dimmed" mt="sm">
        <Trans>Todas las horas en {zone} (UTC−4).</Trans>
      </Text>
    </Section>
  );
}

type CardRisk = NonNullable<AdminTransferView['card_risk']>;

/** What Stripe Radar says of a charge, as items of a list. */
function CardRiskItems({ risk }: { risk: CardRisk }) {
  const { tone, text } = levels[risk.level ?? ''] ?? unknownLevel;
  const { score, rule } = risk;
  const network = risk.network && networks[risk.network];
  // Stripe's own sentence (`message`) is in English.
  const known = risk.reason && reasons[risk.reason];
  const why = rule ? t`Regla de Radar: ${rule}` : known && i18n._(known);
  return (
    <>
      <DataItem label={t`Riesgo`}>
        <span data-testid="card-risk">
          <ToneBadge tone={tone}>{i18n._(text)}</ToneBadge> {score !== null && t`${score} de 100, según Stripe`}
        </span>
      </DataItem>
      {network && <DataItem label={t`Su banco`}>{i18n._(network)}</DataItem>}
      {why && <DataItem label={t`Por qué`}>{why}</DataItem>}
      {risk.review && <DataItem label={t`En Stripe`}>{i18n._(reviews[risk.review] ?? reviewClosed)}</DataItem>}
    </>
  );
}

const unknownLevel = { tone: 'quiet', text: msg`Sin evaluar` } as const;

const levels: Readonly<Record<string, { tone: Tone; text: MessageDescriptor }>> = {
  normal: { tone: 'good', text: msg`Bajo` },
  elevated: { tone: 'wait', text: msg`Elevado` },
  highest: { tone: 'bad', text: msg`Muy alto` },
};

/** Why a charge is out of the ordinary, by Stripe's `outcome.reason`. A reason that is not here is not shown. */
const reasons: Readonly<Record<string, MessageDescriptor>> = {
  elevated_risk_level: msg`Stripe lo considera de riesgo elevado`,
  highest_risk_level: msg`Stripe lo considera de riesgo muy alto`,
  manual_review: msg`Stripe lo apartó para que una persona lo revise`,
  rule: msg`Una regla de Radar`,
};

const networks: Readonly<Record<string, MessageDescriptor>> = {
  approved_by_network: msg`Aprobó el pago`,
  declined_by_network: msg`Rechazó el pago`,
  not_sent_to_network: msg`No se le preguntó: Stripe lo bloqueó antes`,
  reversed_after_approval: msg`Lo aprobó y después lo anuló`,
};

const reviewClosed = msg`Revisión cerrada`;

const reviews: Readonly<Record<string, MessageDescriptor>> = {
  open: msg`Espera que una persona lo revise en el panel de Stripe`,
  approved: msg`Revisado: una persona lo aprobó`,
  refunded: msg`Revisión cerrada: el dinero se devolvió`,
  refunded_as_fraud: msg`Revisado: se devolvió como fraude`,
  disputed: msg`Revisión cerrada: el titular lo disputó`,
  canceled: msg`Revisión cerrada: no se cobró`,
};
