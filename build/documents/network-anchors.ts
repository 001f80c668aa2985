// The permanent addresses of the parts of the network page. A region's is its code.
export const zoneAnchor = (zone: string): string => `zone-${zone}`;

export const countryAnchor = (country: string): string => `country-${country}`;
