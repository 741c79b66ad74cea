import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { MoneyStopView } from '#core/contracts/http/money-stops';
import { continuingText, haltedText } from './stop-texts.ts';

/** What a stop halts and what goes on under it. */
export function StopEffect({ scope }: Pick<MoneyStopView, 'scope'>) {
  const [halted, continuing] = [haltedText(scope), continuingText(scope)];
  return (
    <Text fz="sm" component="div" data-testid="money-stop-effect">
      <Trans>
        <b>Se para:</b> {halted}
      </Trans>
      <br />
      <Trans>
        <b>Sigue:</b> {continuing}
      </Trans>
    </Text>
  );
}
