/** A page of a list, as a JSON Schema. */

/** The list object whose data are of the schema of that name. */
export function listOf(name: string, path: string) {
  return {
    type: 'object',
    title: `${name}List`,
    additionalProperties: false,
    required: ['object', 'url', 'has_more', 'data'],
    properties: {
      object: { type: 'string', const: 'list', description: 'Always `list`.' },
      url: { type: 'string', const: path, description: 'The path of the list.' },
      has_more: {
        type: 'boolean',
        description:
          'Whether more follow in the direction of reading: older ones, or newer ones with `ending_before`.',
      },
      data: {
        type: 'array',
        description: 'Newest first.',
        items: { $ref: `#/components/schemas/${name}` },
      },
    },
  };
}
