import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { limitsAddress, recipientAddress } from '#core/contracts/page-addresses';
import type { OwnLimitRefusal } from '#core/transfers/limits';
import { useIdentityWaits } from '../../data/identity.ts';
import { paths } from '../../lib/paths.ts';
import { fromPayment, nextTierText, reviewedText, seeLimitsText, verifyText } from '../shared/next-tier.ts';
import { type OpenFailure, wayOn } from './payment-reducer.ts';

interface Props {
  message: string;
  failure: OpenFailure;
  /** To whom it was to be paid; null: it was to be chosen later. */
  recipientId: string | null;
  onCancel: () => void;
}

/** A payment that was refused for as long as something stays as it is: says what, and leads to where it changes. */
export default function Refused({ message, failure, recipientId, onCancel }: Props) {
  const next = 'next' in failure ? failure.next : null;
  const waits = useIdentityWaits(Boolean(next));
  const way = wayOn(failure);
  const main = next ? (
    <Button component={Link} to={limitsAddress} state={fromPayment} data-testid="pay-verify">
      {waits ? seeLimitsText() : verifyText()}
    </Button>
  ) : way === 'recipient' && recipientId ? (
    // The frame around it may be a dialog over that very page.
    <Button component={Link} to={recipientAddress(recipientId)} onClick={onCancel} data-testid="pay-to-recipient">
      <Trans>Ver el destinatario</Trans>
    </Button>
  ) : way === 'none' ? (
    <Button component={Link} to={paths.help} data-testid="pay-help">
      <Trans>Pedir ayuda</Trans>
    </Button>
  ) : null;
  return (
    <Stack>
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="pay-refused">
        {message}
        {next && (
          <Text mt="xs" fz="inherit" data-testid="pay-next-tier">
            {waits ? reviewedText() : nextTierText(next, failure.code as OwnLimitRefusal)}{' '}
            <Trans>Lo que escribiste se guarda.</Trans>
          </Text>
        )}
      </Alert>
      <Actions
        main={main}
        close={way === 'none' ? <Trans>Cerrar</Trans> : <Trans>Cambiar los datos</Trans>}
        onClose={onCancel}
      />
    </Stack>
  );
}

/** The next step, if there is one, and the way back. */
function Actions({ main, close, onClose }: { main: ReactNode; close: ReactNode; onClose: () => void }) {
  return (
    <Group justify="flex-end">
      <Button {...(main && { variant: 'default' })} onClick={onClose}>
        {close}
      </Button>
      {main}
    </Group>
  );
}
