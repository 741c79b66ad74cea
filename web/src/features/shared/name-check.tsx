import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import type { RecipientView } from '#core/contracts/http/recipients';
import { useCheckName, useConfirmName } from '../../data/recipients.ts';
import { errorMessage } from '../../lib/http.ts';
import { bankSays } from './bank-says.ts';

interface Props {
  recipient: RecipientView;
  /** Opens the form with the recipient's data. */
  onCorrect: () => void;
}

/** What the bank says of whose a recipient's account is; it is asked here about one who was added before it could be. */
export function NameCheck({ recipient, onCorrect }: Props) {
  const { nameCheck } = recipient;
  const check = useCheckName(recipient.id);
  const { mutate } = check;
  const unasked = nameCheck === null;
  useEffect(() => {
    if (unasked) mutate(null);
  }, [unasked, mutate]);
  const said = nameCheck && bankSays(nameCheck);
  if (said) return <Line icon={<IconCircleCheck size={18} aria-hidden color="var(--cq-good)" />}>{said}</Line>;
  switch (nameCheck?.status) {
    case 'close':
    case 'different':
      return <OtherName recipient={recipient} onCorrect={onCorrect} />;
    case 'unsupported':
      return (
        <Line icon={<IconInfoCircle size={18} aria-hidden />}>
          <Trans>El banco no puede confirmar el nombre: revisa bien la cuenta</Trans>
        </Line>
      );
    case 'unavailable':
    case 'withdrawn':
      return <NoAnswer busy={check.isPending} onAsk={() => mutate(null)} error={check.error} />;
    default:
      if (check.error) return <NoAnswer busy={check.isPending} onAsk={() => mutate(null)} error={check.error} />;
      return (
        <Line icon={<Loader size={16} aria-hidden />}>
          <Trans>El banco está comprobando el nombre…</Trans>
        </Line>
      );
  }
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" data-testid="name-check">
      <span style={{ flex: 'none', lineHeight: 0, marginTop: 2 }}>{icon}</span>
      <Text component="div" fz="sm" c="dimmed">
        {children}
      </Text>
    </Group>
  );
}

function NoAnswer({ busy, onAsk, error }: { busy: boolean; onAsk: () => void; error: Error | null }) {
  return (
    <Line icon={<IconInfoCircle size={18} aria-hidden />}>
      <Trans>El banco no puede confirmar el nombre ahora. Puedes enviar igual: revisa bien la cuenta.</Trans>{' '}
      {error ? (
        <span role="alert">{errorMessage(error)}</span>
      ) : (
        <Anchor component="button" type="button" fz="sm" disabled={busy} onClick={onAsk} data-testid="name-check-again">
          <Trans>Preguntar otra vez</Trans>
        </Anchor>
      )}
    </Line>
  );
}

/** The bank has another name for the account, or one that is only like it: the sender corrects the data or confirms them. */
function OtherName({ recipient, onCorrect }: Props) {
  const confirm = useConfirmName(recipient);
  const { name, nameCheck } = recipient;
  const initials = nameCheck?.bankSays;
  const different = nameCheck?.status === 'different';
  return (
    <Alert
      color={different ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title={different ? t`La cuenta está a otro nombre` : t`El nombre no coincide del todo`}
      data-testid="name-check"
    >
      {initials ? (
        <Trans>
          Escribiste <b>{name}</b> y el banco dice <b>{initials}</b>.
        </Trans>
      ) : (
        <Trans>
          El banco dice que la cuenta no es de <b>{name}</b>.
        </Trans>
      )}{' '}
      {different ? (
        <Trans>Si no es la misma persona, el dinero llegaría a otra.</Trans>
      ) : (
        <Trans>¿Es la misma persona?</Trans>
      )}
      {confirm.error && (
        <Text c="red" fz="sm" mt={4} role="alert">
          {errorMessage(confirm.error)}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        <Button
          size="sm"
          variant={different ? 'filled' : 'default'}
          onClick={onCorrect}
          data-testid="name-check-correct"
        >
          <Trans>Corregir los datos</Trans>
        </Button>
        <Button
          size="sm"
          variant="default"
          disabled={confirm.isPending}
          onClick={() => confirm.mutate(null)}
          data-testid="name-check-confirm"
        >
          <Trans>El nombre es correcto</Trans>
        </Button>
      </Group>
    </Alert>
  );
}
