import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';

/** A button that is pressed twice, in the same place, for what moves money or frees it. */
export function SureButton({
  label,
  sure,
  isPending,
  onSure,
  variant = 'default',
  testid = 'desk-drop',
}: {
  label: string;
  sure: string;
  isPending: boolean;
  onSure: () => void;
  variant?: 'default' | 'filled';
  testid?: string;
}) {
  const [isSure, setIsSure] = useState(false);
  return (
    <Button
      variant={variant}
      loading={isPending}
      onClick={() => (isSure ? onSure() : setIsSure(true))}
      onBlur={() => setIsSure(false)}
      data-testid={testid}
    >
      {isSure ? sure : label}
    </Button>
  );
}

/** Approves or declines: approving takes two presses in the same place, because it moves money. */
export function SureButtons({
  yes: [label, sure],
  no,
  isPending,
  isYes,
  onYes,
  onNo,
}: {
  yes: readonly [label: string, sure: string];
  no: string;
  isPending: boolean;
  /** Which of both is under way. */
  isYes: boolean;
  onYes: () => void;
  onNo: () => void;
}) {
  const [isSure, setIsSure] = useState(false);
  return (
    <Group gap="sm">
      <Button
        leftSection={<IconCheck size={18} aria-hidden />}
        loading={isPending && isYes}
        disabled={isPending}
        onClick={() => (isSure ? onYes() : setIsSure(true))}
        data-testid="desk-approve"
      >
        {isSure ? sure : label}
      </Button>
      <Button
        variant="default"
        leftSection={<IconX size={18} aria-hidden />}
        loading={isPending && !isYes}
        disabled={isPending}
        onClick={() => (isSure ? setIsSure(false) : onNo())}
        data-testid="desk-decline"
      >
        {isSure ? t`Volver` : no}
      </Button>
    </Group>
  );
}
