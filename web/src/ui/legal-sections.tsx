import { Text, Title } from '@mantine/core';

/** Headings and paragraphs of a legal text; `order` is the level of the headings. */
export function LegalSections(props: { sections: readonly (readonly [string, string])[]; order?: 2 | 3 }) {
  return props.sections.map(([heading, text]) => (
    <div key={heading}>
      <Title order={props.order ?? 3} fz={props.order === 2 ? 'h3' : 'md'} mb={4}>
        {heading}
      </Title>
      <Text>{text}</Text>
    </div>
  ));
}
