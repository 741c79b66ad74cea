import { Text, Title } from '@mantine/core';

/** Headings and paragraphs of a legal text; `order` is the level of the headings. */
export function LegalSections(props: { sections: readonly (readonly [string, string])[]; order?: 2 | 3 }) {
  return props.sections.map(([heading, words]) => (
    <div key={heading}>
      <Title order={props.order ?? 3} fz="md" mb={2}>
        {heading}
      </Title>
      <Text>{words}</Text>
    </div>
  ));
}
