// Ten files with the mistakes that people make, each file with one of a kind.

export const BROKEN = {
  "linkform.yaml": `version: 1
service: { base_url: https://short.example.com }
defaults: { link: { domain: go.example.com } }
`,
  "links/01-typo.yaml": `links:
  spring:
    ulr: https://shop.example.com/spring
`,
  "links/02-indent.yaml": `links:
  summer:
    url: https://shop.example.com/summer
   disabled: true
`,
  "links/03-url.yaml": `links:
  autumn: { url: shop.example.com/autumn }
  winter: { url: "htps://shop.example.com/winter" }
`,
  "links/04-password.yaml": `links:
  press: { url: https://www.example.com/press, password: hunter2 }
`,
  "links/05-date.yaml": `links:
  fair:
    url: https://www.example.com/fair
    expiration: { date: 2027-02-30 }
  easter:
    url: https://www.example.com/easter
    expiration: { time: "18:00" }
`,
  "links/06-conflict.yaml": `links:
<<<<<<< HEAD
  sale: { url: https://shop.example.com/sale }
=======
  sale: { url: https://shop.example.com/sale-2027 }
>>>>>>> autumn
`,
  "links/07-twice.yaml": `links:
  newsletter: { url: https://shop.example.com/newsletter }
  Newsletter: { url: https://shop.example.com/news }
`,
  "links/08-country.yaml": `links:
  world:
    url: https://www.example.com/
    targeting: { country: { de: https://www.example.com/de, UK: https://www.example.com/gb } }
`,
  "links/09-pixel.yaml": `pixels:
  Meta main: { type: facbook, value: 1234567890123456 }
  Ads: { type: google-ads }
`,
  "links/10-colon.yaml": `links:
  jobs:
    url:https://www.example.com/careers
    note: We're hiring: come and see
`,
};
