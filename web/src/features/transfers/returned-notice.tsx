import { Alert } from '@mantine/core';
import { IconArrowBackUp, IconInfoCircle } from '@tabler/icons-react';
import type { TransferView } from '#core/contracts/http/transfers';
import { payoutReturnedMessage, returnedMessage } from './returned-money.ts';

/** What went back of a transfer although it goes on, or has ended. Nothing for other transfers. */
export function ReturnedNotice({ transfer }: { transfer: TransferView }) {
  const toSender = returnedMessage(transfer);
  const fromBank = payoutReturnedMessage(transfer);
  return (
    <>
      {fromBank && (
        <Alert
          color="yellow"
          icon={<IconInfoCircle aria-hidden />}
          title="El banco devolvió una parte"
          data-testid="payout-returned"
        >
          {fromBank}
        </Alert>
      )}
      {toSender && (
        <Alert
          color="gray"
          icon={<IconArrowBackUp aria-hidden />}
          title="Te devolvimos una parte"
          data-testid="returned-money"
        >
          {toSender}
        </Alert>
      )}
    </>
  );
}
