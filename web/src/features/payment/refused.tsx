import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { limitsAddress } from '#core/contracts/page-addresses';
import type { OwnLimitRefusal } from '#core/transfers/limits';
import { useIdentityWaits } from '../../data/identity.ts';
import { fromPayment, nextTierText, reviewedText, seeLimitsText, verifyText } from '../shared/next-tier.ts';
import type { OpenFailure } from './payment-reducer.ts';

export default function Refused(props: { message: string; failure: OpenFailure; onCancel: () => void }) {
  const { message, failure, onCancel } = props;
  const next = 'next' in failure ? failure.next : null;
  const waits = useIdentityWaits(Boolean(next));
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
      <Group justify="flex-end">
        <Button {...(next && { variant: 'default' })} onClick={onCancel}>
          <Trans>Cambiar los datos</Trans>
        </Button>
        {next && (
          <Button component={Link} to={limitsAddress} state={fromPayment} data-testid="pay-verify">
            {waits ? seeLimitsText() : verifyText()}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
