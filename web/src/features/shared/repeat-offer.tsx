import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconCalendarRepeat } from '@tabler/icons-react';

/** Offers to be reminded each month of what is shown. */
export function RepeatOffer({ onClick }: { onClick: () => void }) {
  return (
    <Button
      variant="default"
      leftSection={<IconCalendarRepeat size={18} aria-hidden />}
      onClick={onClick}
      data-testid="repeat-offer"
    >
      {t`Repetir cada mes`}
    </Button>
  );
}
