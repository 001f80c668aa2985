// The permanent anchors of the network page. The anchor of a region is its code.
export const zoneAnchor = (zone: string): string => `zone-${zone}`;

export const countryAnchor = (country: string): string => `country-${country}`;
