import { t } from '@lingui/core/macro';
import { Radio, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { PayableAccount } from '#core/contracts/http/operations';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';

/**
 * Asks to which account a family is paid once more: the one that was paid, or another one of the sender's recipients. An account is never typed
 * in here. `value`: the recipient's id, empty for the account that was paid.
 */
export function PayableAccounts({
  query,
  value,
  onChange,
  note,
  testid,
}: {
  query: UseQueryResult<{ accounts: PayableAccount[] }>;
  value: string;
  onChange: (recipientId: string) => void;
  /** What else is to be known about another account. */
  note?: string;
  testid: string;
}) {
  const hint = t`Para pagar a otra, quien envía la agrega o corrige entre sus destinatarios.`;
  return (
    <QueryView query={query} loading={<LoadingRows rows={2} height={40} />}>
      {({ accounts }) => (
        <Radio.Group
          label={t`¿A qué cuenta?`}
          description={note ? `${hint} ${note}` : hint}
          value={value}
          onChange={onChange}
        >
          <Stack gap="xs" mt={6}>
            {accounts.map(({ recipient_id: recipientId, name, bank_name: bank, bank_account: account }) => (
              <Radio
                key={recipientId ?? ''}
                value={recipientId ?? ''}
                label={`${name}, ${bank}, ${account}`}
                description={recipientId === null ? t`La cuenta a la que ya se pagó` : null}
                data-testid={testid}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </QueryView>
  );
}
