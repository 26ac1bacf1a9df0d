interface DemoQuestion {
  question: string;
  answer: string;
  published?: boolean;
  isActive?: boolean;
}

interface DemoSection {
  name: string;
  code: string;
  overview: string;
  questions: DemoQuestion[];
  published?: boolean;
  isActive?: boolean;
}

interface DemoFaq {
  name: string;
  code: string;
  overview: string;
  sections: DemoSection[];
}

/** FAQs for administrators of the console, and for clinics that store vaccines. */
export const DEMO_FAQS: DemoFaq[] = [
  {
    name: 'Getting started with the console',
    code: 'CONSOLE',
    overview: '<p>What administrators ask in their <strong>first week</strong>.</p>',
    sections: [
      {
        name: 'Practices and their databases',
        code: 'PRACTICES',
        overview: '<p>Every practice is a tenant with a database of its own.</p>',
        questions: [
          {
            question: 'How do I add a practice?',
            answer:
              '<p>Open <strong>Tenants</strong> and choose <em>Create Tenant</em>:</p><ol><li>Give it a code that nobody else has.</li><li>Fill in the contact and the address.</li><li>Choose the EMR and the time zone.</li></ol><p>Its database is made at the same time.</p>',
          },
          {
            question: 'What happens when a subscription ends?',
            answer:
              '<p>The date is shown in red, and the dashboard names the practice. For 14 days everything goes on; then its programs can only read, and 14 days later <u>its database is closed to them</u>. Nothing is deleted, and one click in Manage Tenant puts the end off by a week.</p>',
          },
          {
            question: 'Can I try something out without touching real stock?',
            answer:
              '<p>Yes. Clone the database, and anonymize the clone before anybody else works with it.</p><blockquote><p>A clone holds every record of the practice until then.</p></blockquote>',
          },
          {
            question: 'How long are backups kept?',
            answer: '<p>Until somebody deletes them, also when their database is gone.</p>',
          },
        ],
      },
      {
        name: 'Users and roles',
        code: 'USERS',
        overview: '<p>Who may do what.</p>',
        questions: [
          {
            question: 'Which roles are there?',
            answer:
              '<ul><li><strong>Administrator</strong>: everything</li><li><strong>Operator</strong>: reads, creates and changes</li><li><strong>Viewer</strong>: reads</li></ul>',
          },
          {
            question: 'A colleague has left. What do I do?',
            answer:
              '<p>Deactivate the user. All of their sessions end at once, and the audit trail keeps their name.</p>',
          },
          {
            question: 'How do I reset a password?',
            answer: '<p>Edit the user and type a new one. This is being rewritten.</p>',
            published: false,
          },
        ],
      },
    ],
  },
  {
    name: 'Medication and vaccine inventory',
    code: 'INVENTORY',
    overview: '<p>Receiving, storing and counting what is in the refrigerator.</p>',
    sections: [
      {
        name: 'Receiving',
        code: 'RECEIVING',
        overview: '<p>From the box to the shelf.</p>',
        questions: [
          {
            question: 'What do I check when a delivery arrives?',
            answer:
              '<ol><li>The temperature monitor, <strong>before</strong> the box is signed for</li><li>Lot number and expiration date of every package</li><li>The count against the packing list</li></ol>',
          },
          {
            question: 'The package has no readable barcode. How do I enter it?',
            answer:
              '<p>Type the NDC by hand, in the form <code>12345-678-90</code>. The console fills in product and manufacturer.</p>',
          },
          {
            question: 'May a package be received twice?',
            answer:
              '<p>No. The same lot and serial number is refused; look under <em>Stock</em> for the first entry.</p>',
          },
        ],
      },
      {
        name: 'Storage and cold chain',
        code: 'COLD-CHAIN',
        overview: '<p>Temperatures, and what to do when they are wrong.</p>',
        questions: [
          {
            question: 'Which temperature does the refrigerator need?',
            answer:
              '<p>2 to 8 °C (36 to 46 °F). Frozen vaccines are kept at −50 to −15 °C.</p><p>The CDC explains it in its <a href="https://www.cdc.gov/vaccines/hcp/storage-handling/index.html">storage and handling guidance</a>.</p>',
          },
          {
            question: 'The alarm went off overnight. What now?',
            answer:
              '<h3>First</h3><p>Mark the stock <strong>do not use</strong> and leave it where it is cold.</p><h3>Then</h3><p>Write down the highest and lowest temperature, and call the manufacturer.</p>',
          },
          {
            question: 'How often is the temperature written down?',
            answer: '<p>Twice each working day, and the extremes once.</p>',
          },
        ],
      },
      {
        name: 'Counting',
        code: 'COUNTING',
        overview: '<p>Cycle counts, last year’s way.</p>',
        isActive: false,
        questions: [
          {
            question: 'How often do we count?',
            answer: '<p>Once a month, and controlled substances every week.</p>',
          },
          {
            question: 'The count differs from the stock. Who decides?',
            answer: '<p>A second person counts again. The pharmacist adjusts the stock and gives the reason.</p>',
          },
          {
            question: 'What becomes of expired doses?',
            answer: '<p>Take them out of the refrigerator and record them as <s>lost</s> <em>expired</em>.</p>',
          },
        ],
      },
    ],
  },
];
